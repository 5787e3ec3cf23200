import { expect, it } from 'vitest'
import { describeInBrowser, overflowOf, windowSizes } from './describe-in-browser.ts'

describeInBrowser('the top bar', (open) => {
  it('shows the shop, the kind of its data and a link to the API reference', async () => {
    const { page } = await open({ playground: { referencePath: '/docs' } })
    const bar = page.getByRole('banner')
    await bar.getByText('Corner Coffee', { exact: true }).first().waitFor()
    expect(await bar.locator('.product-name .status').innerText()).toBe('Test data')
    expect(await bar.locator('.bar-end > a').getAttribute('href')).toBe('./docs')
  })

  it.each(windowSizes)('has a menu with keyboard support ($width px)', async (viewport) => {
    const { page } = await open({ hasDemo: true }, { viewport })
    const focused = () => page.evaluate('document.activeElement.innerText')
    await page.locator('.date-button').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('Reset the test shop')
    await page.keyboard.press('Escape')
    expect(await page.getByText('Shop date').isVisible()).toBe(false)
    expect(await focused()).toContain('10 March')
  })

  it.each(windowSizes)('fits on one line with a long shop name ($width px)', async (viewport) => {
    const shopName = 'The Honourable Company of Coffee Roasters and Tea Merchants of the Northern Isles'
    const { page } = await open({ hasDemo: true, playground: { shopName } }, { viewport })
    const height = await page.getByRole('banner').evaluate((bar) => Reflect.get(bar, 'offsetHeight'))
    expect(height).toBeLessThan(60)
    expect(await overflowOf(page)).toBe(0)
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
