import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { RunRequest } from './run-request.ts'
import { TryEmail } from './try-email.ts'
// oxlint-disable-next-line import/no-unassigned-import -- Vite adds the styles to the page.
import './theme.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RunRequest', RunRequest).component('TryEmail', TryEmail)
  },
} satisfies Theme
