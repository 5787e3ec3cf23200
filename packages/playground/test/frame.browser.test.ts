import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { describeInBrowser, overflowOf, windowSizes } from './describe-in-browser.ts'
import { apiKey, urlForTest } from './start-shop.ts'

describeInBrowser('the top bar', (open) => {
  it('shows the shop, the kind of its data and a link to the API reference', async () => {
    const { page } = await open({ playground: { referencePath: '/docs' } })
    const bar = page.getByRole('banner')
    await bar.getByText('Corner Coffee', { exact: true }).first().waitFor()
    expect(await bar.locator('.product-name .status').innerText()).toBe('Test data')
    expect(await bar.locator('.bar-end > a').getAttribute('href')).toBe('./docs')
  })

  it.each(windowSizes)('has a menu with keyboard support ($width px)', async (viewport) => {
    const { page } = await open({ isMovable: true }, { viewport })
    const focused = () => page.evaluate('document.activeElement.innerText')
    await page.locator('.date-button').focus()
    await page.keyboard.press('Enter')
    for (const name of ['Day before', 'Next billing', 'One month later', 'Reset the test shop']) {
      await page.keyboard.press('Tab')
      expect(await focused()).toContain(name)
    }
    await page.keyboard.press('Escape')
    expect(await page.getByText('Shop date').isVisible()).toBe(false)
    expect(await focused()).toContain('10 March')
  })

  it.each(windowSizes)('fits on one line with a long shop name ($width px)', async (viewport) => {
    const shopName = 'The Honourable Company of Coffee Roasters and Tea Merchants of the Northern Isles'
    const { page } = await open({ isMovable: true, playground: { shopName } }, { viewport })
    const height = await page.getByRole('banner').evaluate((bar) => Reflect.get(bar, 'offsetHeight'))
    expect(height).toBeLessThan(60)
    expect(await overflowOf(page)).toBe(0)
  })
})

describeInBrowser('the page at startup', (open) => {
  it.each<[name: string, respond: RequestListener, text: RegExp]>([
    ['returns an invalid response', (_req, res) => res.end('<h1>Welcome</h1>'), /returns an HTML page/],
    ['does not respond', () => {}, /Discovering the shop’s endpoints/],
  ])('shows a message if the shop %s', async (name, respond, text) => {
    const url = await urlForTest(respond)
    const { page } = await open({ playground: { target: { baseUrl: url, apiKey }, offered: undefined } })
    await page.getByText(text).first().waitFor()
    if (name === 'does not respond') return
    await page.getByRole('heading', { name: 'Could not discover the shop’s endpoints' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(`${url}/integration`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })
})
