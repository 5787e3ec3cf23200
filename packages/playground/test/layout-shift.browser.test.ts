import { seedProfile } from '@storeport/conformance'
import type { EndpointName } from '@storeport/core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'

/** Loads the page again and adds up what moved while it filled, as a browser scores it: 0 is nothing. */
async function shiftWhileLoading(page: Page, isFull: () => Promise<void>): Promise<unknown> {
  await page.addInitScript(`
    window.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.reload()
  await isFull()
  await page.waitForLoadState('networkidle')
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow).toBe(0)
  return page.evaluate('window.shifted')
}

/** Has the answers of an endpoint wait for the first answer of another one. */
async function answerAfter(page: Page, late: EndpointName, early: EndpointName): Promise<void> {
  let isAnswered = (): void => {}
  const answered = new Promise<void>((resolve) => (isAnswered = resolve))
  await page.route('**/playground/call', async (route) => {
    const { endpoint } = route.request().postDataJSON()
    if (endpoint === late) await answered
    await route.fulfill({ response: await route.fetch() })
    if (endpoint === early) isAnswered()
  })
}

const widths = [380, 768, 1440]

describeInBrowser('nothing jumps while the page fills', (open) => {
  it.each(widths)('for a subscriber, at %i pixels', async (width) => {
    const { page, email } = await open({}, { viewport: { width, height: 900 } })
    const isFull = () => email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
    expect(await shiftWhileLoading(page, isFull)).toBeLessThan(0.005)
  })

  it.each(widths)('when the products come before the subscription, at %i pixels', async (width) => {
    const { page, email } = await open({}, { viewport: { width, height: 1400 } })
    await answerAfter(page, 'getSubscription', 'listProducts')
    const isFull = () => email.getByText('Tuesday, 24 March').waitFor()
    expect(await shiftWhileLoading(page, isFull)).toBeLessThan(0.005)
  })

  it.each(widths)('for who has no subscription, at %i pixels', async (width) => {
    const customers = { ...seedProfile.customers, subscribed: 'test@example.com', empty: 'subscription@example.com' }
    const profile = { ...seedProfile, today: '2026-03-10', customers }
    const { page, email } = await open({ playground: { profile } }, { viewport: { width, height: 900 } })
    const isFull = () => email.getByRole('button', { name: /^Add .*House Espresso/ }).waitFor()
    expect(await shiftWhileLoading(page, isFull)).toBeLessThan(0.005)
  })

  it('when the fonts come late', async () => {
    const { page, email } = await open()
    await page.route('**/*.woff2', async (route) => {
      // After everything else has been drawn in the fonts that stand in.
      await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).waitFor()
      await route.continue()
    })
    const isFull = () => page.evaluate('document.fonts.ready')
    expect(await shiftWhileLoading(page, async () => void (await isFull()))).toBeLessThan(0.02)
  })
})
