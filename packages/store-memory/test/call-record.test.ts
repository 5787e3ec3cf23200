import { createIntegration, StoreError } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { contextOf } from '@storeport/testing/clicks'
import { key, send } from '@storeport/testing/send'
import { describe, expect, it } from 'vitest'

const email = 'subscription@example.com'
const add = { email, product_id: 'test_54321', quantity: 1 }
const action = { email, action_id: 'join_waitlist_product_123' }
const context = contextOf()

/** Serves a memory store through the API, with protection against repeated requests. */
function openShop() {
  const store = createMemoryStore({ today: '2026-03-10' })
  const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
  const call = async (path: string, sent?: Parameters<typeof send>[2]) => {
    const { status, json } = await send(integration, `/integration/${path}`, sent)
    return { status, ...json }
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) => call(path, { body, headers })
  return { store, post, get: (path: string) => call(path) }
}

describe('failNext', () => {
  it('fails the next calls of an operation without changing data, and queues errors for each operation', async () => {
    const { store, post } = openShop()
    const before = store.account(email)
    store.failNext('addProduct', 'payment_failed')
    store.failNext('addProduct', new StoreError('payment_failed', 'The card has expired.'))
    expect(await post('upsells/add-product', add)).toEqual({
      status: 400,
      success: false,
      error: { code: 'payment_failed', message: 'The payment failed.' },
    })
    expect(store.account(email)).toBe(before)
    expect(await post('customer-portal/send-now', { email })).toMatchObject({ status: 200 })
    expect(await post('upsells/add-product', add)).toMatchObject({ error: { message: 'The card has expired.' } })
    expect(await post('upsells/add-product', add)).toMatchObject({ status: 200 })
    expect(store.account(email)?.adds).toHaveLength(1)
  })

  it('fails reads and custom actions', async () => {
    const { store, post, get } = openShop()
    store.failNext('listProducts', new Error('The database is down.'))
    expect(await get('upsells/products')).toMatchObject({ status: 500, error: { code: 'internal_error' } })
    store.failNext('runCustomAction', 'action_not_allowed')
    expect(await post('custom-action', action)).toMatchObject({ error: { code: 'action_not_allowed' } })
    expect(store.actionsRun).toEqual([])
    expect(await post('custom-action', action)).toMatchObject({ status: 200 })
    expect(store.actionsRun).toHaveLength(1)
  })

  it('returns an unknown outcome if a custom action fails without a rejection', async () => {
    const { store, post } = openShop()
    store.failNext('runCustomAction', 'upstream_error')
    expect(await post('custom-action', action)).toMatchObject({ status: 502 })
    expect(await post('custom-action', action)).toMatchObject({ status: 503 })
    expect(store.calls).toHaveLength(1)
  })

  it('does not remove a queued error for a replay', async () => {
    const { store, post } = openShop()
    await post('upsells/add-product', add)
    store.failNext('addProduct', 'payment_failed')
    expect(await post('upsells/add-product', add)).toMatchObject({ status: 200 })
    store.forgetClicks()
    expect(await post('upsells/add-product', add)).toMatchObject({ error: { code: 'payment_failed' } })
  })

  it('rejects an invalid operation and an invalid code', () => {
    const { store } = openShop()
    // @ts-expect-error -- no operation has this name
    expect(() => store.failNext('addProducts', 'payment_failed')).toThrow(
      new TypeError(
        'failNext: addProducts is not an operation. Use one of listProducts, addProduct, undoAddProduct, getSubscription, sendNow, delaySubscription, swapProduct, listCancelledSubscriptions, reactivateSubscription, runCustomAction, getDiscount.',
      ),
    )
    // @ts-expect-error -- no error has this code
    expect(() => store.failNext('addProduct', 'payment_fail')).toThrow(
      new TypeError('StoreError: payment_fail is not an error code. Did you mean payment_failed?'),
    )
  })
})

describe('calls', () => {
  it('records the operation, input and outcome of each call in sequence', async () => {
    const { store, post, get } = openShop()
    store.failNext('sendNow', 'payment_failed')
    await get(`customer-portal/subscription?email=${email}`)
    await post('customer-portal/send-now', { email })
    await post('upsells/add-product', { ...add, product_id: 'nothing' })
    await post('custom-action', action)
    expect(store.calls).toEqual([
      { operation: 'getSubscription', input: { email }, outcome: 'success' },
      { operation: 'sendNow', input: { email }, outcome: 'payment_failed' },
      {
        operation: 'addProduct',
        input: { ...add, product_id: 'nothing', one_time: false },
        outcome: 'product_not_found',
      },
      { operation: 'runCustomAction', input: action, outcome: 'success' },
    ])
  })

  it('does not record a repeated click, with or without a key', async () => {
    const { store, post } = openShop()
    for (const headers of [{}, { 'Idempotency-Key': 'click-1' }]) {
      const before = store.calls.length
      await post('upsells/add-product', add, headers)
      expect(await post('upsells/add-product', add, headers)).toMatchObject({ status: 200 })
      expect(store.calls.slice(before)).toMatchObject([{ operation: 'addProduct', outcome: 'success' }])
    }
  })

  it('returns a copy in which an unfinished custom action has the outcome running', async () => {
    let finish = () => {}
    const running = new Promise<void>((resolve) => (finish = resolve))
    const store = createMemoryStore({ actions: { join_waitlist_product_123: () => running } })
    const call = store.runCustomAction(action, context)
    const during = store.calls
    finish()
    await call
    expect([during, store.calls]).toMatchObject([[{ outcome: 'running' }], [{ outcome: 'success' }]])
  })

  it('contains the latest 1,000 calls since the last reset', async () => {
    const { store, post } = openShop()
    for (let number = 1; number <= 1001; number++) await store.listProducts({ email: `${number}@example.com` }, context)
    expect(store.calls).toHaveLength(1000)
    expect(store.calls[0]?.input).toEqual({ email: '2@example.com' })
    store.failNext('addProduct', 'payment_failed')
    store.reset()
    expect(store.calls).toEqual([])
    expect(await post('upsells/add-product', add)).toMatchObject({ status: 200 })
  })
})
