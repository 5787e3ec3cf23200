import { type Theme, useRoute, withBase } from 'vitepress'
import { h } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { CopyPage } from './copy-page.ts'
import { RunRequest } from './run-request.ts'
import { TryEmail } from './try-email.ts'
// oxlint-disable-next-line import/no-unassigned-import -- Vite adds the styles to the page.
import './theme.css'

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(CopyPage, { key: useRoute().path }),
      'not-found': () =>
        h('main', { class: 'vp-doc not-found' }, [
          h('h1', 'This page does not exist'),
          h('p', 'It may have moved. Use the search, or start here:'),
          h('a', { href: withBase('/guide/start') }, 'Quickstart'),
        ]),
    }),
  enhanceApp({ app }) {
    app.component('RunRequest', RunRequest).component('TryEmail', TryEmail)
  },
} satisfies Theme
