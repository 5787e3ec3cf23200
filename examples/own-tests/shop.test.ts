import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'

const apiKey = 'a-key-for-tests-only'
const today = '2026-03-10'
const email = 'subscription@example.com'

/** Opens a shop with the example data, for one test. */
function openShop() {
  const store = createMemoryStore({ today })
  const integration = createIntegration({ store, apiKeys: [apiKey] })
  async function post(path: string, body: object) {
    const headers = { 'X-Integration-API-Key': apiKey, 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await integration.fetch(new Request(`http://shop.example/integration${path}`, init))
    return { status: response.status, body: await response.json() }
  }
  return { store, post }
}

describe('my shop', () => {
  it('sends the next order on the fixed date', async () => {
    const { store, post } = openShop()
    expect(await post('/customer-portal/send-now', { email })).toEqual({ status: 200, body: { success: true } })
    expect(store.orders(email)).toMatchObject([{ placed_on: today }])
  })

  it('returns the error of a failed payment, and changes nothing', async () => {
    const { store, post } = openShop()
    store.failNext('sendNow', 'payment_failed')
    const error = { code: 'payment_failed', message: 'The payment failed.' }
    expect(await post('/customer-portal/send-now', { email })).toEqual({ status: 400, body: { success: false, error } })
    expect(store.orders(email)).toEqual([])
  })

  it('calls the store once for a double click', async () => {
    const { store, post } = openShop()
    await post('/customer-portal/delay', { email, new_date: '2026-04-24' })
    await post('/customer-portal/delay', { email, new_date: '2026-04-24' })
    const input = { email, new_date: '2026-04-24' }
    expect(store.calls).toEqual([{ operation: 'delaySubscription', input, outcome: 'success' }])
  })
})
