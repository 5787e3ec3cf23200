import { describeError, isStoreError } from '@storeport/core'
import { StripeSettingsError, stripeStore } from '@storeport/store-stripe'
import { contextOf } from '@storeport/testing/clicks'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { countCharges, email, openStripe, openTestShop, postTo, unitsOf } from './open-shop.ts'

const add = { email, product_id: 'test_54321', quantity: 1, one_time: false }

describe('an unusable key or account', () => {
  it('makes ready() reject with an error that explains the fix and omits the key', async () => {
    const { standIn } = await openTestShop()
    const wrong = stripeStore(openStripe({ ...standIn, secretKey: 'sk_test_of_somebody_else' }))
    const refused: unknown = await wrong.ready().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StripeSettingsError)
    expect(String(refused)).toContain('Copy a valid key')
    expect(String(refused)).not.toMatch(/sk_test|somebody/)
    expect(await stripeStore(openStripe(standIn)).ready()).toEqual([])
  })

  it('rejects a click without changing anything, and provides an error code for the log', async () => {
    const { standIn } = await openTestShop()
    const store = stripeStore(openStripe({ ...standIn, secretKey: 'sk_test_of_somebody_else' }))
    const error = await failureOf(store.addProduct(add, contextOf()))
    expect(error).toMatchObject({ code: 'upstream_error', outcome: 'refused' })
    expect(error.cause).toBeInstanceOf(StripeSettingsError)
    expect(describeError(error).cause).toBe('STRIPE_KEY_REJECTED')
    expect(JSON.stringify([describeError(error), describeError(error.cause)])).not.toMatch(/sk_test|example\.com/)
  })

  it('rejects an account without prices in the configured currency', async () => {
    const empty = await startStripeStandIn()
    onTestFinished(() => empty.close())
    const store = stripeStore(openStripe(empty))
    await expect(store.ready()).rejects.toThrow('no active recurring price in USD')
    expect(await store.listProducts({}, contextOf())).toEqual({ products: [] })
    const { standIn } = await openTestShop()
    await expect(stripeStore(openStripe(standIn), { currency: 'EUR' }).ready()).rejects.toThrow('price in EUR')
  })

  it('rejects a Stripe client with a different API version', () => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the client accepts any version, but its types accept only one
    const old = new Stripe('sk_test_x', { apiVersion: '2024-06-20' as '2026-10-28.endive' })
    expect(() => stripeStore(old)).toThrow(
      "uses API version 2024-06-20. Create the client with apiVersion: '2026-10-28.endive'",
    )
  })
})

describe('a Stripe outage', () => {
  const kinds = [
    ['html', 'upstream_error'],
    ['server_error', 'upstream_error'],
    ['cut_before', 'upstream_error'],
    ['cut_short', 'upstream_error'],
    ['hang', 'upstream_error'],
    ['rate_limited', 'rate_limited'],
  ] as const

  it.each(kinds)(
    'makes a read and a change fail after %s with the code %s (the outcome of the change is unknown, except after 429)',
    async (kind, code) => {
      const { another, standIn } = await openTestShop()
      const store = another({ timeoutMs: kind === 'hang' ? 1000 : undefined })
      standIn.fail({ kind, times: Infinity, matches: ({ method }) => method === 'POST' })
      const error = await failureOf(store.addProduct(add, contextOf()))
      expect(error).toMatchObject({ code, outcome: kind === 'rate_limited' ? 'refused' : 'unknown' })
      expect(JSON.stringify(describeError(error))).not.toContain('example.com')
      standIn.fail({ kind, times: Infinity })
      const failedRead = await failureOf(store.getSubscription({ email }, contextOf()))
      expect(failedRead).toMatchObject({ code, outcome: 'refused' })
    },
  )

  it('causes 429 with Retry-After for an hour, and then clicks succeed', async () => {
    const shop = await openTestShop()
    shop.standIn.fail({ kind: 'rate_limited', times: 20 })
    const post = postTo(shop)
    for (let minutes = 0; minutes < 20; minutes += 1) {
      const response = await post('/upsells/add-product', add)
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
      await shop.pass(3 * 60_000)
    }
    expect((await post('/upsells/add-product', add)).status).toBe(200)
  })

  it.each(['rate_limited', 'server_error', 'cut_before'] as const)(
    'leaves the outcome unknown if the second request fails with %s, and completes the click on a repeat',
    async (kind) => {
      const shop = await openTestShop()
      const post = postTo(shop)
      for (const product_id of ['test_54321', 'test_67890'])
        await post('/upsells/add-product', { ...add, product_id, one_time: true })
      const swap = { email, current_item_id: 'test_54321~once', new_product_id: 'test_67890' }
      shop.standIn.fail({ kind, times: 2, matches: ({ method }) => method === 'DELETE' })
      expect((await post('/customer-portal/swap-product', swap)).status).toBeGreaterThanOrEqual(429)
      if (kind !== 'cut_before') await post('/customer-portal/swap-product', swap)
      expect((await post('/customer-portal/swap-product', swap)).status).toBe(200)
      expect(await unitsOf(shop, 'test_67890~once')).toBe(2)
      expect(await unitsOf(shop, 'test_54321~once')).toBeUndefined()
    },
  )
})

describe('bad input', () => {
  it('reads all subscriptions of a customer with twenty', async () => {
    const { store, stripe } = await openTestShop()
    const [customer] = (await stripe.customers.list({ email })).data
    const [price] = (await stripe.prices.list({ product: 'test_54321', active: true, limit: 2 })).data.toReversed()
    for (let count = 0; count < 20; count += 1) {
      const trial_end = Date.parse('2026-03-20T12:00:00Z') / 1000 + count * 86_400
      await stripe.subscriptions.create({
        customer: customer?.id ?? '',
        items: [{ price: price?.id ?? '' }],
        trial_end,
      })
    }
    expect(await store.getSubscription({ email }, contextOf())).toMatchObject({ next_billing_date: '2026-03-20' })
  })

  it.each([
    ['code', { active: false }],
    ['coupon', { valid: false }],
  ])('rejects a %s that ended between the read and its use', async (kind, fields) => {
    const shop = await openTestShop()
    const [promotion] = (await shop.stripe.promotionCodes.list({ code: 'TEST10' })).data
    const id = kind === 'code' ? promotion?.id : promotion?.promotion.coupon
    shop.standIn.fail({
      kind: 'hang',
      matches: ({ method }) => {
        if (method === 'POST') shop.standIn.change(String(id), fields)
        return false
      },
    })
    const late = shop.store.addProduct({ ...add, discount_code: 'TEST10' }, contextOf())
    await expect(late).rejects.toMatchObject({ code: 'invalid_discount_code' })
  })
})

it('a request that charges a card has its own timeout', { timeout: 20_000 }, async () => {
  const shop = await openTestShop()
  shop.standIn.fail({ kind: 'hang_after', matches: ({ method }) => method === 'POST' })
  const impatient = shop.another({ timeoutMs: 600_000, chargeTimeoutMs: 50 }).sendNow({ email }, contextOf())
  await expect(impatient).rejects.toMatchObject({ code: 'upstream_error', outcome: 'unknown' })
})

describe('concurrent clicks', () => {
  it('send one order even in two processes, and take effect once per idempotency key', async () => {
    const shop = await openTestShop()
    // Stripe bills this subscription on 17 March, so it is not in a trial, whose second end would change nothing.
    const other = { email: 'another@example.com' }
    await shop.pass(9 * 24 * 3_600_000)
    const before = await countCharges(shop)
    let sent = 0
    // No process sends its change before the other process has read the account.
    const send = async (...[url, init]: Parameters<typeof fetch>) => {
      if (init?.method === 'POST') sent += 1
      if (init?.method === 'POST') await vi.waitUntil(() => sent >= 2)
      return fetch(url, init)
    }
    const open = () =>
      postTo({
        ...shop,
        store: stripeStore(openStripe(shop.standIn, send), { freeTrials: 'change', now: () => shop.now().getTime() }),
      })
    const processes = [open(), open()] as const
    const clicks = [...processes, processes[1]].map((post) => post('/customer-portal/send-now', other))
    // A process whose key was used first finds the order of today.
    expect((await Promise.all(clicks)).map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(await countCharges(shop)).toBe(before + 1)
    await Promise.all(processes.map((post) => post('/upsells/add-product', { ...add, one_time: true }, 'named')))
    expect((await shop.stripe.invoiceItems.list({ pending: true })).data).toHaveLength(1)
    for (const post of processes)
      expect((await post('/upsells/add-product', { ...add, one_time: true }, 'named')).status).toBe(200)
  })
})

async function failureOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (isStoreError(error)) return error
  throw new Error('the request did not fail with a StoreError', { cause: error })
}
