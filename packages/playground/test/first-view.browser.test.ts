import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, focusedName, windowSizes } from './describe-in-browser.ts'

/** Reloads the page and returns its cumulative layout shift after `isFull`. */
async function measureLayoutShift(page: Page, isFull: () => Promise<unknown>): Promise<unknown> {
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.reload()
  await isFull()
  await page.waitForLoadState('networkidle')
  return page.evaluate('window.shifted')
}

describeInBrowser('the first view', (open) => {
  it.each(windowSizes)(
    'shows the shop, the next box and both buttons without a shift ($width px)',
    async (viewport) => {
      const { page, email } = await open({ hasDemo: true, playground: { referencePath: '/docs' } }, { viewport })
      const bar = page.getByRole('banner')
      const link = bar.getByRole('link', { name: 'API reference' })
      const portal = email.getByRole('region', { name: 'Your subscription' })
      const line = page.getByText('The email as your customer sees it')
      const isFull = () => email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await isFull()
      const places: readonly (readonly [place: Locator, bottom?: number])[] = [
        [line, 150],
        [link],
        [bar.getByRole('button', { name: 'Dark mode' })],
        [portal.getByText('Next box')],
        [portal.getByText('Tuesday, 24 March')],
        [portal.getByText('in 14 days')],
        [portal.getByRole('button', { name: 'Send Now' })],
        [portal.getByRole('button', { name: 'Delay Subscription' })],
        [portal.getByRole('heading', { level: 4 }).first()],
      ]
      for (const [place, bottom = viewport.height] of places) {
        const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
        expect(width).toBeGreaterThan(20)
        expect(x + width).toBeLessThanOrEqual(viewport.width)
        expect(y + height).toBeLessThan(bottom)
      }
      // Checks that only the panels scroll, not the page.
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height)
      expect(await line.innerText()).toMatch(
        viewport.width < 1200 ? /Requests: see Inspector\.$/ : /Requests are on the right\.$/,
      )
      const head = await email.locator('.mail-head').innerText()
      expect(head).toMatch(/Corner Coffee\s+Subscriber · subscription@example\.com/)
      expect(await bar.locator('.product-name .status').innerText()).toBe('Test data')
      expect(await link.getAttribute('href')).toBe('./docs')
      const rows = await portal.locator('dl > div').allInnerTexts()
      expect(rows.map((row) => row.split(/\s*\n\s*/))).toEqual([
        ['Items', '$69.85'],
        ['Discount', '−$5.00'],
        ['Shipping', '$5.99'],
        ['Estimated tax (8%)', '$5.19'],
        ['Estimated total', '$76.03'],
      ])
      await page.locator('.date-button').press('Enter')
      await page.keyboard.press('Tab')
      expect(await focusedName(page)).toBe('Reset the test shop')
      await page.keyboard.press('Escape')
      expect(await page.getByText('Shop date').isVisible()).toBe(false)
      expect(await focusedName(page)).toContain('10 March')
      expect(await measureLayoutShift(page, isFull)).toBeLessThan(0.005)
    },
  )

  it('shifts little if the fonts of the page load late', async () => {
    const { page, email } = await open()
    await page.route('**/*.woff2', async (route) => {
      // Waits until the page is rendered with the fallback fonts.
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await route.continue()
    })
    expect(await measureLayoutShift(page, () => page.evaluate('document.fonts.ready'))).toBeLessThan(0.02)
    const loaded = `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`
    const families: readonly string[] = await page.evaluate(loaded)
    const own = families.map((family) => family.replaceAll('"', '')).filter((family) => !family.includes('Fallback'))
    expect(own.toSorted()).toEqual(['Page Mono', 'Page Sans', 'Page Serif'])
  })
})
