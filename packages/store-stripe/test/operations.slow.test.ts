import { StoreError } from '@storeport/core'
import { contextOf } from '@storeport/testing/clicks'
import { shippingProduct } from '@storeport/testing/stripe/seed-stripe'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { email, openTestShop, type StripeShop } from './open-shop.ts'

const day = 24 * 3_600_000

describe('stripeStore', () => {
  it('finds all customers whose email matches the given email or its lower-case form', async () => {
    const { store, stripe } = await openTestShop()
    const twin = await stripe.customers.create({ email })
    await stripe.customers.create({ email: 'Odd.One@Example.com' })
    const price = (await stripe.prices.list({ product: 'test_54321', limit: 1 })).data[0]?.id ?? ''
    await stripe.subscriptions.create({
      customer: twin.id,
      items: [{ price }],
      trial_end: Date.parse('2026-03-12T12:00:00Z') / 1000,
    })
    const soonest = { next_billing_date: '2026-03-12', items: [{ id: 'test_54321' }] }
    expect(await store.getSubscription({ email: 'SUBSCRIPTION@Example.com' }, contextOf())).toMatchObject(soonest)
    await expect(store.getSubscription({ email: 'Odd.One@Example.com' }, contextOf())).rejects.toThrow(
      'no matching subscription',
    )
    await expect(store.getSubscription({ email: 'odd.one@example.com' }, contextOf())).rejects.toThrow('No customer')
  })

  it('lists the offered products in the configured order, at the price that priceOf returns', async () => {
    const { another } = await openTestShop()
    const products = async (options: Parameters<typeof another>[0]) =>
      (await another(options).listProducts({}, contextOf())).products
    const offered = ['test_54321', 'test_12345', 'test_00000']
    expect((await products({ offered })).map(({ id }) => id)).toEqual(['test_54321', 'test_12345'])
    const isCheap = ({ name }: Stripe.Product) => name !== 'Hand Grinder'
    expect((await products({ offered: isCheap })).map(({ id }) => id)).toEqual(['test_12345', 'test_67890'])
    const priceOf = (product: Stripe.Product, _: object, prices: readonly Stripe.Price[]) =>
      product.id === 'test_12345' ? undefined : prices.at(-1)?.id
    expect((await products({ priceOf })).map(({ id, price }) => [id, price])).toEqual([
      ['test_67890', 29.95],
      ['test_54321', 49.95],
    ])
    await expect(
      another({ offered: [] }).addProduct({ ...one('test_54321'), email }, contextOf()),
    ).rejects.toMatchObject({ code: 'product_unavailable' })
  })

  it('returns a separate item for a second price of the same product, with the price id as its id', async () => {
    const { store, stripe, subscriptions } = await openTestShop()
    const price = await stripe.prices.create({
      product: 'test_12345',
      currency: 'usd',
      unit_amount: 1000,
      recurring: { interval: 'month' },
    })
    await stripe.subscriptions.update(subscriptions['sub_1001'] ?? '', { items: [{ price: price.id }] })
    const read = await store.getSubscription({ email }, contextOf())
    expect(read?.items.map(({ id, title, price: amount }) => [id, title, amount])).toEqual([
      ['test_12345', 'House Espresso, 500 g', 19.95],
      ['test_67890', 'Single Origin Ethiopia, 500 g', 29.95],
      [price.id, 'House Espresso, 500 g', 10],
    ])
  })

  it('bills one-time items with the order that sendNow sends, and rejects a later undo', async () => {
    const { store, stripe, pass } = await openTestShop()
    await store.addProduct({ ...one('test_54321'), email, one_time: true }, contextOf())
    await store.addProduct({ ...one('test_67890'), email }, contextOf())
    await store.sendNow({ email }, contextOf())
    expect(await paidLines(stripe)).toEqual([
      [
        ['test_12345', 2],
        ['test_54321', 1],
        ['test_67890', 2],
        [shippingProduct, 1],
      ],
    ])
    const undo = store.undoAddProduct({ email, product_id: 'test_67890' }, contextOf())
    await expect(undo).rejects.toMatchObject({ code: 'product_not_in_order' })
    await expect(store.sendNow({ email }, contextOf())).rejects.toMatchObject({ code: 'order_already_processing' })
    await pass(day)
    await store.sendNow({ email }, contextOf())
    expect(await paidLines(stripe)).toHaveLength(2)
  })

  it('undoes an add after a delay, but not after Stripe has billed the add', async () => {
    const { store, pass } = await openTestShop()
    const undo = () => store.undoAddProduct({ email, product_id: 'test_67890' }, contextOf())
    await store.addProduct({ ...one('test_67890'), email }, contextOf())
    await store.delaySubscription({ email, new_date: '2026-03-26' }, contextOf())
    await undo()
    await store.addProduct({ ...one('test_67890'), email }, contextOf())
    await pass(17 * day)
    await store.delaySubscription({ email, new_date: '2026-05-01' }, contextOf())
    await expect(undo()).rejects.toMatchObject({ code: 'product_not_in_order' })
  })

  it("rejects sendNow on the day when Stripe bills the customer's other subscription", async () => {
    const { store, pass } = await openTestShop()
    await store.delaySubscription({ email, new_date: '2026-05-01' }, contextOf())
    // Stripe bills the customer's other subscription on 9 April at noon.
    await pass(30 * day + 4 * 3_600_000)
    await expect(store.sendNow({ email }, contextOf())).rejects.toMatchObject({ code: 'order_already_processing' })
    await pass(day)
    await store.sendNow({ email }, contextOf())
  })

  it("delays to a date in the shop's time zone, up to two years ahead, without changing the time of day", async () => {
    const { another, stripe, subscriptions } = await openTestShop()
    const store = another({ timeZone: 'America/New_York' })
    for (const new_date of ['2026-11-01', '2026-11-02', '2027-03-14', '2028-02-29']) {
      await store.delaySubscription({ email: 'another@example.com', new_date }, contextOf())
      expect((await store.getSubscription({ email: 'another@example.com' }, contextOf()))?.next_billing_date).toBe(
        new_date,
      )
    }
    const { status, trial_end } = await stripe.subscriptions.retrieve(subscriptions['sub_3001'] ?? '')
    expect([status, trial_end]).toEqual(['trialing', Date.parse('2028-02-29T12:00:00Z') / 1000])
    const far = store.delaySubscription({ email: 'another@example.com', new_date: '2028-03-09' }, contextOf())
    await expect(far).rejects.toThrow('new_date: must be 2028-03-08 or earlier.')
    const near = another({ maxDelayDays: 30 }).delaySubscription({ email, new_date: '2026-04-10' }, contextOf())
    await expect(near).rejects.toThrow('new_date: must be 2026-04-09 or earlier.')
  })

  it('applies a percentage discount to a whole line, including units added earlier', async () => {
    const { store } = await openTestShop()
    const discount = async () => (await store.getSubscription({ email }, contextOf()))?.order_discount_total
    const add = (product_id: string) =>
      store.addProduct({ ...one(product_id), quantity: 2, email, discount_code: 'TEST10' }, contextOf())
    expect(await discount()).toBe(5)
    await add('test_54321')
    expect(await discount()).toBe(14.99)
    await store.undoAddProduct({ email, product_id: 'test_54321' }, contextOf())
    expect(await discount()).toBe(5)
    await add('test_12345')
    expect(await discount()).toBe(12.98)
    await store.undoAddProduct({ email, product_id: 'test_12345' }, contextOf())
    expect(await discount()).toBe(5)
  })

  it("removes a swapped item's promotion codes, but not its other discounts", async () => {
    const { store, stripe, subscriptions } = await openTestShop()
    const current = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
    const own = await stripe.coupons.create({ amount_off: 100, currency: 'usd', duration: 'forever' })
    const [item] = current.items.data
    await stripe.subscriptions.update(current.id, {
      items: [{ id: item?.id ?? '', discounts: [{ coupon: own.id }] }],
      proration_behavior: 'none',
    })
    const discount = async () => (await store.getSubscription({ email }, contextOf()))?.order_discount_total
    const swap = (from: string, to: string, discount_code?: string) =>
      store.swapProduct({ email, current_item_id: from, new_product_id: to, discount_code }, contextOf())
    expect(await discount()).toBe(6)
    await swap('test_12345', 'test_54321', 'TEST10')
    expect(await discount()).toBe(15.89)
    await swap('test_54321', 'test_12345', 'TEST20')
    expect(await discount()).toBe(13.78)
    await swap('test_12345', 'test_54321')
    expect(await discount()).toBe(6)
  })

  it('recreates a cancelled subscription with its metadata, and removes a scheduled cancellation', async () => {
    const { store, stripe, subscriptions } = await openTestShop()
    const cancelled = { email: 'cancelled@example.com', subscription_id: subscriptions['sub_2003'] ?? '' }
    await store.reactivateSubscription(cancelled, contextOf())
    const [made] = (await stripe.subscriptions.list({ limit: 1 })).data
    expect(made).toMatchObject({
      status: 'trialing',
      metadata: { seeded_as: 'sub_2003', storeport_replaces: cancelled.subscription_id },
    })
    const ending = { email: 'another@example.com', subscription_id: subscriptions['sub_3001'] ?? '' }
    await stripe.subscriptions.update(ending.subscription_id, { cancel_at_period_end: true })
    const list = await store.listCancelledSubscriptions({ email: ending.email }, contextOf())
    expect(list.subscriptions.map(({ subscription_id }) => subscription_id)).toContain(ending.subscription_id)
    await store.reactivateSubscription(ending, contextOf())
    expect(await stripe.subscriptions.retrieve(ending.subscription_id)).toMatchObject({ cancel_at_period_end: false })
    expect(await store.getSubscription({ email: ending.email }, contextOf())).toMatchObject({
      next_billing_date: '2026-03-17',
    })
  })

  it('reactivates at the current price if the old price was archived', async () => {
    const { store, stripe, subscriptions } = await openTestShop()
    const old = await stripe.subscriptions.retrieve(subscriptions['sub_2003'] ?? '')
    await stripe.prices.update(old.items.data[0]?.price.id ?? '', { active: false })
    const input = { email: 'cancelled@example.com', subscription_id: old.id }
    await expect(store.reactivateSubscription(input, contextOf())).rejects.toMatchObject({
      code: 'subscription_not_eligible',
    })
    await stripe.prices.create({
      product: 'test_12345',
      currency: 'usd',
      unit_amount: 2100,
      recurring: { interval: 'month' },
    })
    await store.reactivateSubscription(input, contextOf())
    expect(await store.getSubscription({ email: input.email }, contextOf())).toMatchObject({
      items: [{ id: 'test_12345', price: 21 }],
    })
  })

  it('runs an action by name, but not an inherited object property', async () => {
    const { another, stripe } = await openTestShop()
    const store = another({
      actions: {
        join: (customer, { idempotencyKey }) => ({ description: `${customer.email} ${idempotencyKey.length}` }),
        refuse: () => {
          throw new StoreError('action_not_allowed')
        },
      },
    })
    const run = (action_id: string) => store.runCustomAction({ email, action_id }, contextOf())
    await run('join')
    expect((await stripe.customers.list({ email })).data[0]?.description).toBe(`${email} 36`)
    await expect(run('refuse')).rejects.toMatchObject({ code: 'action_not_allowed' })
    for (const name of ['toString', 'constructor', '__proto__'])
      await expect(run(name)).rejects.toMatchObject({ code: 'action_not_found' })
  })
})

function one(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}

/** Returns products and quantities of all paid invoices, sorted by `order`. */
async function paidLines(stripe: StripeShop['stripe']) {
  const { data } = await stripe.invoices.list({ limit: 100 })
  return data
    .filter(({ amount_paid }) => amount_paid > 0)
    .map(({ lines }) =>
      lines.data
        .map(({ pricing, quantity }) => [pricing?.price_details?.product, quantity])
        .toSorted((a, b) => order(String(a[0])) - order(String(b[0]))),
    )
}

function order(product: string): number {
  return ['test_12345', 'test_54321', 'test_67890', shippingProduct].indexOf(product)
}
