import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from './build-page.ts'
import { type RunningShop, type ShopOptions, startShop, token } from './start-shop.ts'

const executablePath = '/usr/bin/chromium'

/**
 * Reason why browser tests are skipped. `undefined` if Chromium is installed, or in CI, where browser tests are
 * required.
 */
export const noBrowser: string | undefined =
  existsSync(executablePath) || process.env['CI'] === 'true' ? undefined : `${executablePath} is not installed`

/** Starts Debian's Chromium with a temporary profile. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  })
}

/** A playground in a browser window. */
export interface OpenPlayground {
  readonly page: Page
  readonly shop: RunningShop
  /** Errors and warnings in the browser console. A test removes expected messages. All other messages fail the test. */
  readonly complaints: string[]
  /** The open email. */
  readonly email: Locator
  /** The inspector. */
  readonly inspector: Locator
  /** The message about the last action. */
  readonly toast: Locator
}

/** Opens a playground with its own shop; the URL fragment selects the view. */
export type Open = (shop?: ShopOptions, window?: BrowserContextOptions, fragment?: string) => Promise<OpenPlayground>

/** Collects the errors and warnings in the browser console. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return complaints
}

/** The built page and the browser of a test file. */
let started: Promise<[pageFolder: string, browser: Browser]> | undefined
afterAll(async () => (await started)?.[1].close())

/** Groups tests that run in Debian's Chromium. Skips the tests with a reason if Chromium is missing. */
export function describeInBrowser(name: string, tests: (open: Open) => void): void {
  describe(name, () => {
    if (noBrowser !== undefined) {
      it('requires a browser', (context) => context.skip(noBrowser))
      return
    }
    let browser: Browser
    let pageFolder: string
    let opened: { readonly complaints: string[]; close(): Promise<void> }[] = []

    beforeAll(async () => {
      ;[pageFolder, browser] = await (started ??= Promise.all([buildPage(), openBrowser()]))
    })
    afterEach(async () => {
      const closing = opened
      opened = []
      for (const playground of closing) await playground.close()
      expect(closing.flatMap(({ complaints }) => complaints)).toEqual([])
    })

    tests(async (options = {}, window = {}, fragment = '') => {
      const shop = await startShop({ ...options, playground: { pageFolder, ...options.playground } })
      // Sets the locale, because dates follow the region of the browser.
      const defaults = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' }
      const context = await browser.newContext({ ...defaults, ...window })
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
      // Also accepts the error page, because some tests expect that the page fails to start.
      const failed = page.locator('.start h1').or(page.getByText('Discovering the shop’s endpoints'))
      await email.getByRole('heading', { level: 2 }).or(page.getByText('No customer selected')).or(failed).waitFor()
      const inspector = page.getByRole('region', { name: 'Inspector' })
      return { page, shop, complaints, email, inspector, toast: page.locator('.status-line').getByRole('status') }
    })
  })
}

/** Window sizes of a phone, a tablet and a laptop. */
export const windowSizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

/** Opens a panel, if the window shows only one panel. */
export async function goToPanel(page: Page, name: 'Inbox' | 'Email' | 'Inspector') {
  const choice = page.getByRole('radiogroup', { name: 'Panels' }).getByRole('radio', { name })
  if (await choice.isVisible()) await choice.check()
}

/** Ships the next box with its button, and waits until the dialog is closed. */
export async function shipNow({ page, email }: OpenPlayground): Promise<void> {
  await goToPanel(page, 'Email')
  await email.getByRole('button', { name: 'Send Now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, ship it now' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Returns the label of the focused element, or its text. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const at = document.activeElement
    const label = at.labels?.[0]?.textContent
    return (at.getAttribute('aria-label') ?? label ?? at.textContent).trim()
  })()`)
}

/** Returns the horizontal overflow of a page, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** All axe rules in the light color scheme, and the rule of contrast in the dark one. */
const bothSchemes = { light: '{}', dark: '{ runOnly: ["color-contrast"] }' }

/** Options of axe that exclude contrast, which is its slowest rule. */
export const withoutContrast = { light: '{ rules: { "color-contrast": { enabled: false } } }' }

/** Returns the axe violations of a page with options of axe for each color scheme. */
export async function findAxe(
  page: Page,
  options: Readonly<Partial<Record<'light' | 'dark', string>>> = bothSchemes,
): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    if (options[colorScheme] === undefined) continue
    await page.emulateMedia({ colorScheme })
    // Ends color transitions, because axe measures contrast.
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    const violations: string[] = await page.evaluate(`axe.run(${options[colorScheme]}).then(({ violations }) =>
        violations.flatMap(({ id, impact, nodes }) => nodes.map((node) =>
          '${colorScheme}: ' + impact + ' ' + id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`)
    found.push(...violations)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
