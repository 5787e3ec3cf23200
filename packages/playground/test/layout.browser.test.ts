import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, overflowOf, windowSizes } from './describe-in-browser.ts'

/** Returns the distance from the top of the window to the bottom of an element, in pixels. */
async function bottomOf(place: Locator): Promise<number> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('The element is not visible.')
  return box.y + box.height
}

describeInBrowser('the first view', (open) => {
  it.each(windowSizes)(
    'shows the shop, the next box and both buttons without a shift ($width px)',
    async (viewport) => {
      const { page, email } = await open({ hasDemo: true, playground: { referencePath: '/docs' } }, { viewport })
      const portal = email.getByRole('region', { name: 'Your subscription' })
      await portal.getByText('Tuesday, 24 March').waitFor()
      for (const place of [
        portal.getByText('Next box'),
        portal.getByText('Tuesday, 24 March'),
        portal.getByText('in 14 days'),
        portal.getByRole('button', { name: 'Send Now' }),
        portal.getByRole('button', { name: 'Delay Subscription' }),
        portal.getByRole('heading', { level: 4 }).first(),
      ]) {
        expect(await bottomOf(place)).toBeLessThan(viewport.height)
      }
      expect(await page.locator('.email-panel').evaluate((place) => Reflect.get(place, 'scrollTop'))).toBe(0)
      // Checks that only the panels scroll, not the page.
      const isFull = () => email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await isFull()
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height)
      const line = page.getByText('The email as your customer sees it')
      expect(await bottomOf(line)).toBeLessThan(150)
      expect(await line.innerText()).toMatch(
        viewport.width < 1200 ? /Requests: see Inspector\.$/ : /\. Requests are on the right\.$/,
      )
      const head = await email.locator('.mail-head').innerText()
      expect(head).toMatch(/Corner Coffee\s+Subscriber · subscription@example\.com/)

      const bar = page.getByRole('banner')
      expect(await bar.locator('.product-name .status').innerText()).toBe('Test data')
      const link = bar.getByRole('link', { name: 'API reference' })
      expect(await link.getAttribute('href')).toBe('./docs')
      for (const place of [link, bar.getByRole('button', { name: 'Dark mode' })]) {
        const { x = 0, width = 0 } = (await place.boundingBox()) ?? {}
        expect(width).toBeGreaterThan(20)
        expect(x + width).toBeLessThanOrEqual(viewport.width)
      }
      const focused = () => page.evaluate('document.activeElement.innerText')
      await page.locator('.date-button').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused()).toContain('Reset the test shop')
      await page.keyboard.press('Escape')
      expect(await page.getByText('Shop date').isVisible()).toBe(false)
      expect(await focused()).toContain('10 March')
      expect(await measureLayoutShift(page, isFull)).toBeLessThan(0.005)
    },
  )

  it('uses the fonts that the page includes', async () => {
    const { page } = await open()
    await page.waitForLoadState('networkidle')
    const loaded = `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`
    const families: readonly string[] = await page.evaluate(loaded)
    const own = families.map((family) => family.replaceAll('"', '')).filter((family) => !family.includes('Fallback'))
    expect(own.toSorted()).toEqual(['Page Mono', 'Page Sans', 'Page Serif'])
  })
})

/** Reloads the page and returns its cumulative layout shift. */
async function measureLayoutShift(page: Page, isFull: () => Promise<void>): Promise<unknown> {
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.reload()
  await isFull()
  await page.waitForLoadState('networkidle')
  expect(await overflowOf(page)).toBe(0)
  return page.evaluate('window.shifted')
}

describeInBrowser('layout shift while loading', (open) => {
  it('is small if the fonts load late', async () => {
    const { page, email } = await open()
    await page.route('**/*.woff2', async (route) => {
      // Waits until the page is rendered with the fallback fonts.
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await route.continue()
    })
    const isFull = () => page.evaluate('document.fonts.ready')
    expect(await measureLayoutShift(page, async () => void (await isFull()))).toBeLessThan(0.02)
  })
})

describeInBrowser('the top bar', (open) => {
  it.each(['light', 'dark'] as const)('switches the colors of a %s system, and back', async (colorScheme) => {
    const { page } = await open({}, { colorScheme })
    const color = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const [light, dark] = ['rgb(243, 242, 239)', 'rgb(17, 19, 18)']
    const [first, second] = colorScheme === 'light' ? [light, dark] : [dark, light]
    expect(await color()).toBe(first)
    await page.getByRole('button', { name: 'Dark mode' }).click()
    expect(await color()).toBe(second)
    await page.getByRole('button', { name: 'Dark mode' }).click()
    expect(await color()).toBe(first)
  })

  it('is hidden by a dialog, whose main button comes first if the buttons do not fit in a row', async () => {
    const { page, email } = await open({}, { viewport: windowSizes[0] })
    await email.getByRole('button', { name: 'Delay Subscription' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Choose a date').fill('2027-12-28')
    const move = await dialog.getByRole('button', { name: 'Move to 28 December 2027' }).boundingBox()
    const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox()
    expect(move?.y).toBeLessThan(cancel?.y ?? 0)
  })
})

describeInBrowser('the page at startup', (open) => {
  it('shows why the endpoints were not discovered, with a retry', async () => {
    let problem = 'The URL returns an HTML page'
    const offered = async () => {
      if (problem !== '') throw new Error(problem)
      return ['getSubscription'] as const
    }
    const { page, shop } = await open({ playground: { offered } })
    await page.getByRole('heading', { name: 'Could not discover the shop’s endpoints' }).waitFor()
    const text = await page.getByRole('main').innerText()
    for (const part of [`${shop.url}/integration`, problem]) expect(text).toContain(part)
    problem = ''
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article').waitFor()
  })

  it('shows that the shop is slow to respond', async () => {
    const { page } = await open({ playground: { offered: () => new Promise(() => {}) } })
    await page.getByText(/Discovering the shop’s endpoints/).waitFor()
  })
})
