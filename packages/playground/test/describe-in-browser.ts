import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from './build-page.ts'
import { type RunningShop, type ShopOptions, startShop, token } from './start-shop.ts'

const executablePath = '/usr/bin/chromium'

/** Why browser tests cannot run here; `undefined` where they can, and in CI, where they must. */
export const noBrowser: string | undefined =
  existsSync(executablePath) || process.env['CI'] === 'true' ? undefined : `there is no ${executablePath}`

/** Starts Debian's Chromium with a profile of its own, which is deleted with it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  })
}

/** A playground in a window of the browser. */
export interface OpenPlayground {
  readonly page: Page
  readonly shop: RunningShop
  /** What the console of the browser complained about; a test that expects something takes it out. */
  readonly complaints: string[]
  /** The email. */
  readonly email: Locator
  /** What is behind it. */
  readonly wire: Locator
  /** What the last action did, in words. */
  readonly toast: Locator
}

/** Opens a playground over a shop of its own; the fragment of its address says what is shown. */
export type Open = (shop?: ShopOptions, window?: BrowserContextOptions, fragment?: string) => Promise<OpenPlayground>

/** Collects what the console of the browser complains about. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return complaints
}

/** Time for a test in a browser, in milliseconds. */
const timeout = 60_000

/** The folder of the page: built once for all groups of a file. */
let built: Promise<string> | undefined

/** Groups tests in Debian's Chromium; skipped with the reason where there is none. */
export function describeInBrowser(name: string, tests: (open: Open) => void): void {
  describe(name, { timeout }, () => {
    if (noBrowser !== undefined) {
      it('needs a browser', (context) => context.skip(noBrowser))
      return
    }
    let browser: Browser
    let pageFolder: string
    let opened: { readonly complaints: string[]; close(): Promise<void> }[] = []

    beforeAll(async () => {
      ;[pageFolder, browser] = await Promise.all([(built ??= buildPage()), openBrowser()])
    }, timeout)
    afterEach(async () => {
      const closing = opened
      opened = []
      for (const one of closing) await one.close()
      expect(closing.flatMap(({ complaints }) => complaints)).toEqual([])
    })
    afterAll(() => browser.close())

    tests(async (options = {}, window = {}, fragment = '') => {
      const shop = await startShop({ ...options, playground: { pageFolder, ...options.playground } })
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...window })
      context.setDefaultTimeout(10_000)
      const page = await context.newPage()
      const complaints = collectComplaints(page)
      opened.push({
        complaints,
        async close() {
          await context.close()
          await shop.stop()
        },
      })
      await page.goto(`${shop.url}/?token=${token}${fragment}`)
      const email = page.getByRole('article')
      // A page that cannot start says so.
      const isStopped = page.locator('.start h1').or(page.getByText('Discovering the endpoints of the shop'))
      await email.getByRole('heading', { level: 2 }).or(page.getByText('No customer selected')).or(isStopped).waitFor()
      const wire = page.getByRole('region', { name: 'Inspector' })
      return { page, shop, complaints, email, wire, toast: page.locator('.toast').getByRole('status') }
    })
  })
}

/** The sizes in which the frame of the page is tried: a phone, a tablet, a laptop. */
export const windowSizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

/** Brings a panel into view, by the mouse or by the keyboard, where the window shows one at a time. */
export async function goToPanel(page: Page, name: 'Inbox' | 'Email' | 'Inspector', by: 'mouse' | 'keyboard' = 'mouse') {
  const button = page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name })
  if (!(await button.isVisible())) return
  await (by === 'mouse' ? button.click() : button.press('Enter'))
}

/** What the focused element is called: by its label, or else by its text. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const at = document.activeElement
    const label = at.labels?.[0]?.textContent
    return (at.getAttribute('aria-label') ?? label ?? at.textContent).trim()
  })()`)
}

/** By how many pixels a page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Everything that axe finds on a page, whatever its impact, as one line each. */
export async function findAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  // A transition of colours would be measured half way.
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished))')
  return page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => impact + ' ' + id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`)
}
