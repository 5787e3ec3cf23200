import type { ClickRecord } from '@storeport/core'
import { expect, it } from 'vitest'
import { describeInBrowser, findAxe, goToPanel, overflowOf, shipNow, windowSizes } from './describe-in-browser.ts'
import { apiKey, urlForTest } from './start-shop.ts'

const customer = 'subscription@example.com'

describeInBrowser('the list of requests', (open) => {
  it('groups the requests by click, with time and customer, and copies a curl command without the key', async () => {
    const { page, email, inspector } = await open()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    const groups = inspector.locator('.calls > li')
    await expect.poll(() => groups.count()).toBe(2)
    const titles = await groups.locator('h3').allInnerTexts()
    expect(titles[0]).toMatch(/^Click\s+\d\d:\d\d:\d\d\s+subscription@example\.com$/)
    expect(titles[1]).toMatch(/^Email opened/)
    await expect
      .poll(() => groups.first().locator('.mono').allInnerTexts())
      .toEqual(['/upsells/add-product', '/customer-portal/subscription', '/upsells/products'])
    await inspector.getByRole('button', { name: /add-product 200/ }).click()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await inspector.getByRole('button', { name: 'Copy as curl' }).click()
    await inspector.getByRole('button', { name: 'Copied' }).waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('-H "X-Integration-API-Key: $STOREPORT_API_KEY"')
    expect(copied + (await page.content())).not.toContain(apiKey)
  })

  it.each([
    ['counted twice', 2, 'The click took effect twice. The shop does not detect duplicate clicks.', 'The click took'],
    ['counted once', 1, 'The subscription shows that the click took effect once.', 'Repeat: counted once'],
  ])('shows that a click that was sent twice %s in a shop without demo controls', async (_name, times, text, mark) => {
    let clicks = 0
    const baseUrl = await urlForTest((req, res) => {
      const isClick = req.method === 'POST'
      if (isClick) clicks++
      const line = { title: 'Tea', price: 5, images: [] }
      const quantity = 1 + Math.min(clicks, times)
      const data = req.url?.includes('/subscription')
        ? { next_billing_date: '2026-03-24', items: [{ ...line, id: 'line', quantity }] }
        : { products: [{ ...line, id: 'tea' }] }
      res.setHeader('Content-Type', 'application/json')
      if (isClick && clicks > times) res.setHeader('Idempotency-Replayed', 'true')
      res.end(JSON.stringify(isClick ? { success: true } : { success: true, data }))
    })
    const { email, inspector } = await open({ playground: { target: { baseUrl, apiKey }, data: 'shop' } })
    await inspector.getByRole('radio', { name: 'Twice in parallel' }).check()
    await inspector.getByText('This is a real shop. Duplicate clicks change real data.').waitFor()
    await email.getByRole('button', { name: /^Add .*Tea/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    const call = inspector.locator('[data-endpoint=addProduct]')
    expect(await call.locator('.counted').allInnerTexts()).toEqual([expect.stringContaining(mark)])
    await call.getByRole('button').first().click()
    await call.locator('.call-detail').getByText(text).waitFor()
  })

  it('marks the first response as lost, and shows the second response to the customer', async () => {
    const playground = await open({ hasDemo: true })
    const { inspector, shop } = playground
    await inspector.getByRole('radio', { name: 'Twice, as a retry' }).check()
    await shipNow(playground)
    expect(shop.store.orders(customer)).toHaveLength(1)
    const call = inspector.locator('[data-endpoint=sendNow]')
    await call.getByRole('button').first().click()
    await call.getByText('The response was lost. The customer did not see it.').waitFor()
    // Only clicks are sent twice, so each read request has only one status.
    expect(await inspector.locator('[data-endpoint=getSubscription] .status').allInnerTexts()).toEqual(['200', '200'])
  })
})

describeInBrowser('the history and the paused operations', (open) => {
  it('are shown after a click', async () => {
    const records: ClickRecord[] = []
    const history = async (email: string) =>
      records
        .filter((record) => record.email === email)
        .map(({ time, requestId, operation, status }) => ({
          ...{ at: Date.parse(time), requestId, asked: `Asked ${operation}` },
          ...{ result: `Result ${status}`, failed: status >= 400 },
        }))
    const integration = { onClick: (record: ClickRecord) => void records.push(record) }
    const options = { hasDemo: true, integration, playground: { paused: ['swapProduct'] as const, history } }
    const playground = await open(options, { viewport: windowSizes[0] })
    const { page, inspector } = playground
    await page.getByText('The shop has paused: swapProduct.').waitFor()
    await goToPanel(page, 'Inspector')
    await inspector.getByRole('radio', { name: 'History' }).click()
    await inspector.getByText('No clicks are recorded.').waitFor()
    await shipNow(playground)
    await goToPanel(page, 'Inspector')
    await inspector.getByText('Asked sendNow').waitFor()
    expect(await inspector.getByRole('list', { name: 'Recorded clicks' }).textContent()).toMatch(
      /\b20\d\d, .*Result 200/,
    )
    const [intro, list] = ['.tab-panel .notice', '.tab-panel ol'].map((place) => page.locator(place).boundingBox())
    const { y = 0, height = 0 } = (await intro) ?? {}
    expect((await list)?.y).toBeGreaterThan(y + height)
    expect([await overflowOf(page), await findAxe(page)]).toEqual([0, []])
  })
})
