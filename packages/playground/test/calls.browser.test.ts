import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { urlForTest } from './start-shop.ts'

describeInBrowser('the list of requests', (open) => {
  it('groups the requests by click, with time and customer', async () => {
    const { email, wire } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    await expect.poll(() => wire.locator('.calls > li').count()).toBe(2)
    const groups = wire.locator('.calls > li')
    expect(await groups.first().locator('h3').innerText()).toMatch(
      /^Click\s+\d\d:\d\d:\d\d\s+subscription@example\.com$/,
    )
    await expect
      .poll(() => groups.first().locator('.mono').allInnerTexts())
      .toEqual(['/upsells/add-product', '/customer-portal/subscription', '/upsells/products'])
    expect(await groups.last().locator('h3').innerText()).toMatch(/^Email opened/)
  })

  it.each([
    ['counted twice', 2, 'The click took effect twice. The shop does not detect duplicate clicks.'],
    ['counted once', 1, 'The subscription shows that the click took effect once.'],
  ])('shows that a click that was sent twice %s in a shop without demo controls', async (_name, times, text) => {
    let clicks = 0
    const answer: RequestListener = (req, res) => {
      const isClick = req.method === 'POST'
      if (isClick) clicks++
      const line = { title: 'Tea', price: 5, images: [] }
      const quantity = 1 + Math.min(clicks, times)
      const data = req.url?.includes('/subscription')
        ? { next_billing_date: '2026-03-24', items: [{ ...line, id: 'line', quantity }] }
        : { products: [{ ...line, id: 'tea' }] }
      res.writeHead(200, { 'Content-Type': 'application/json' })
      res.end(JSON.stringify(isClick ? { success: true } : { success: true, data }))
    }
    const target = { baseUrl: await urlForTest(answer), apiKey: 'a-key-of-another-shop' }
    const { email, wire } = await open({ playground: { target, data: 'shop' } })
    await wire.getByRole('radio', { name: 'Twice in parallel' }).check()
    await email.getByRole('button', { name: /^Add .*Tea/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    const call = wire.locator('[data-endpoint=addProduct]')
    expect(await call.locator('.counted').count()).toBe(times - 1)
    await call.getByRole('button').first().click()
    await call.locator('.call-detail').getByText(text).waitFor()
  })
})
