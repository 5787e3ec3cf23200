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
  it.each(windowSizes)('shows the next box, its date and both buttons at $width × $height', async (viewport) => {
    const { page, email } = await open({}, { viewport })
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
    await email.getByRole('button', { name: /^Add / }).first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height)
  })

  it.each(windowSizes)('explains the page and shows the sender at $width × $height', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    const line = page.getByText('The email as your customer sees it')
    expect(await bottomOf(line)).toBeLessThan(150)
    expect(await line.innerText()).toMatch(
      viewport.width < 1200 ? /Requests: “Inspector”\.$/ : /\. Requests are on the right\.$/,
    )
    const head = await email.locator('.mail-head').innerText()
    expect(head).toMatch(/Corner Coffee\s+Subscriber · subscription@example\.com/)
  })

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
  it.each(windowSizes)('is small for a subscriber ($width px)', async (viewport) => {
    const { page, email } = await open({}, { viewport })
    const isFull = () => email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    expect(await measureLayoutShift(page, isFull)).toBeLessThan(0.005)
  })

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
