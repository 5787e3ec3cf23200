import type { RequestListener } from 'node:http'
import { type ClickRecord, endpointNames, type EndpointName } from '@storeport/core'
import { expect, it } from 'vitest'
import { describeInBrowser, findAxe, goToPanel, overflowOf, shipNow, windowSizes } from './describe-in-browser.ts'
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
    ['counted twice', 2, 'The click took effect twice. The shop does not detect duplicate clicks.', 'The click took'],
    ['counted once', 1, 'The subscription shows that the click took effect once.', 'Repeat: counted once'],
  ])('shows that a click that was sent twice %s in a shop without demo controls', async (_name, times, text, mark) => {
    let clicks = 0
    const answer: RequestListener = (req, res) => {
      const isClick = req.method === 'POST'
      if (isClick) clicks++
      const line = { title: 'Tea', price: 5, images: [] }
      const quantity = 1 + Math.min(clicks, times)
      const data = req.url?.includes('/subscription')
        ? { next_billing_date: '2026-03-24', items: [{ ...line, id: 'line', quantity }] }
        : { products: [{ ...line, id: 'tea' }] }
      const isRepeat = isClick && clicks > times
      res.writeHead(200, {
        'Content-Type': 'application/json',
        ...(isRepeat && { 'Idempotency-Replayed': 'true' }),
      })
      res.end(JSON.stringify(isClick ? { success: true } : { success: true, data }))
    }
    const target = { baseUrl: await urlForTest(answer), apiKey: 'a-key-of-another-shop' }
    const { email, wire } = await open({ playground: { target, data: 'shop' } })
    await wire.getByRole('radio', { name: 'Twice in parallel' }).check()
    await email.getByRole('button', { name: /^Add .*Tea/ }).click()
    await email.getByRole('button', { name: /^Undo/ }).waitFor()
    const call = wire.locator('[data-endpoint=addProduct]')
    expect(await call.locator('.counted').allInnerTexts()).toEqual([expect.stringContaining(mark)])
    await call.getByRole('button').first().click()
    await call.locator('.call-detail').getByText(text).waitFor()
  })
})

describeInBrowser('the history and the paused operations', (open) => {
  it('are shown after a click', async () => {
    const records: ClickRecord[] = []
    const playground = await open(
      {
        hasDemo: true,
        integration: { onClick: (record) => void records.push(record) },
        playground: {
          paused: ['swapProduct'],
          history: async (customer) =>
            records
              .filter((record) => record.email === customer)
              .map(({ time, requestId, operation, status }) => ({
                ...{ at: Date.parse(time), requestId, asked: `Asked ${operation}` },
                ...{ result: `Result ${status}`, failed: status >= 400 },
              })),
        },
      },
      { viewport: windowSizes[0] },
    )
    const { page, wire } = playground
    await page.getByText('The shop has paused: swapProduct.').waitFor()
    await goToPanel(page, 'Inspector')
    await wire.getByRole('radio', { name: 'History' }).click()
    await wire.getByText('No clicks are recorded.').waitFor()
    await shipNow(playground)
    await goToPanel(page, 'Inspector')
    await wire.getByText('The recorded clicks of subscription@example.com').waitFor()
    await wire.getByText('Asked sendNow').waitFor()
    expect(await wire.getByRole('list', { name: 'Recorded clicks' }).textContent()).toMatch(/\b20\d\d, .*Result 200/)
    const [intro, list] = ['.tab-panel .notice', '.tab-panel ol'].map((place) => page.locator(place).boundingBox())
    const { y = 0, height = 0 } = (await intro) ?? {}
    expect((await list)?.y).toBeGreaterThan(y + height)
    expect(await overflowOf(page)).toBe(0)
    expect(await findAxe(page)).toEqual([])
  })
})

describeInBrowser('an unavailable endpoint', (open) => {
  it('hides its widgets and buttons while turned off', async () => {
    const { page, email, wire } = await open()
    await email.getByRole('button', { name: 'Delay Subscription' }).waitFor()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const offer = (name: EndpointName) => wire.getByRole('switch', { name: `Offer ${name}` })
    const part = (text: string) => wire.getByRole('listitem').filter({ hasText: text })
    const portalButtons = async () => {
      const portal = email.getByRole('region', { name: 'Your subscription' })
      return (await portal.getByRole('button').allTextContents()).toSorted()
    }

    await expect.poll(portalButtons).toEqual(['Delay Subscription', 'Send Now', 'Swap', 'Swap'])
    await offer('delaySubscription').uncheck()
    await expect.poll(portalButtons).toEqual(['Send Now', 'Swap', 'Swap'])
    await part('Delay Subscription button: hidden').waitFor()
    for (const name of ['sendNow', 'swapProduct'] as const) await offer(name).uncheck()
    await expect.poll(portalButtons).toEqual([])
    for (const name of ['delaySubscription', 'sendNow', 'swapProduct'] as const) await offer(name).check()

    // A swap and the product cards also require the product list.
    await offer('listProducts').uncheck()
    await expect.poll(portalButtons).toEqual(['Delay Subscription', 'Send Now'])
    await email.getByText('The email platform hides this part. It requires listProducts.').waitFor()
    await offer('listProducts').check()

    await email.getByLabel('Discount code').waitFor()
    await offer('getDiscount').uncheck()
    expect(await email.getByLabel('Discount code').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'TEST10' }).count()).toBe(0)

    await offer('undoAddProduct').uncheck()
    await email.getByRole('button', { name: /^Add .*Hand Grinder/ }).click()
    await email.getByText('Added', { exact: true }).waitFor()
    expect(await email.getByRole('button', { name: /Undo/ }).count()).toBe(0)

    await offer('getSubscription').uncheck()
    await email.getByText('The email platform hides this part. It requires getSubscription.').waitFor()
    expect(await email.getByRole('region', { name: 'Your subscription' }).count()).toBe(0)

    await offer('reactivateSubscription').uncheck()
    await page.getByRole('button', { name: 'We saved your spot' }).click()
    await email.getByText('The email platform hides this part. It requires reactivateSubscription.').waitFor()
    await offer('runCustomAction').uncheck()
    await page.getByRole('button', { name: 'Two minutes' }).click()
    await email.getByText('The email platform hides this part. It requires runCustomAction.').waitFor()
  })

  it('receives no requests while turned off', async () => {
    const { page, wire } = await open()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    for (const name of endpointNames) await wire.getByRole('switch', { name: `Offer ${name}` }).uncheck()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const subject of ['New on the shelf', 'We saved your spot', 'Two minutes', 'Your next box']) {
      await page.getByRole('button', { name: subject }).click()
      await page.getByText('The email platform hides this part').first().waitFor()
    }
    expect(requested.filter((url) => url.endsWith('/playground/call'))).toEqual([])
  })

  it('cannot be turned on if not implemented by the shop', async () => {
    const { page, email, wire } = await open({
      store: ({ getSubscription, sendNow, listCancelledSubscriptions }) => ({
        getSubscription,
        sendNow,
        listCancelledSubscriptions,
      }),
    })
    const portal = email.getByRole('region', { name: 'Your subscription' })
    await portal.getByRole('button', { name: 'Send Now' }).waitFor()
    expect(await portal.getByRole('button').count()).toBe(1)
    await email.getByText('The email platform hides this part. It requires listProducts, addProduct.').waitFor()
    await wire.getByRole('radio', { name: 'Endpoints', exact: true }).check()
    const missing = wire.getByRole('switch', { name: 'Offer delaySubscription' })
    expect(await missing.isDisabled()).toBe(true)
    expect(await missing.isChecked()).toBe(false)
    expect(await page.getByText('The shop does not implement this endpoint.').count()).toBe(8)
  })
})
