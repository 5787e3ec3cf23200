import type { Page } from 'playwright-core'

/** The sizes in which the frame of the page is tried: a phone, a tablet, a laptop. */
export const windowSizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

/** Brings a panel into view, by the mouse or by the keyboard, where the window shows one at a time. */
export async function goToPanel(page: Page, name: 'Inbox' | 'Email' | 'Behind it', by: 'mouse' | 'keyboard' = 'mouse') {
  const button = page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name })
  if (!(await button.isVisible())) return
  await (by === 'mouse' ? button.click() : button.press('Enter'))
}
