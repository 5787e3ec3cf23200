import { click, contextOf, send } from '@storeport/testing/clicks'
import { shippingProduct } from '@storeport/testing/stripe/seed-stripe'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { email, openTestShop, type StripeShop } from './open-shop.ts'

const day = 24 * 3_600_000

describe('stripeStore', () => {
  it('finds all customers whose email matches the given email or its lower-case form', async () => {
    const { store, stripe, pass } = await openTestShop()
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
    // A customer without a subscription does not hide a customer with the email in another letter case.
    await pass(61_000)
    await stripe.customers.create({ email: 'odd.one@example.com' })
    const [odd] = (await stripe.customers.list({ email: 'Odd.One@Example.com' })).data
    const trial_end = Date.parse('2026-03-13T12:00:00Z') / 1000
    await stripe.subscriptions.create({ customer: odd?.id ?? '', items: [{ price }], trial_end })
    const found = await store.getSubscription({ email: 'odd.one@example.com' }, contextOf())
    expect(found).toMatchObject({ next_billing_date: '2026-03-13' })
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
    const price = await createPrice(stripe, 'test_12345', 1000)
    await stripe.subscriptions.update(subscriptions['sub_1001'] ?? '', { items: [{ price: price.id }] })
    const read = await store.getSubscription({ email }, contextOf())
    expect(read?.items.map(({ id, title, price: amount }) => [id, title, amount])).toEqual([
      ['test_12345', 'House Espresso, 500 g', 19.95],
      ['test_67890', 'Single Origin Ethiopia, 500 g', 29.95],
      [price.id, 'House Espresso, 500 g', 10],
    ])
  })

  it('leaves out an item with the quantity 0, which an add uses again', async () => {
    const { store, standIn, stripe, subscriptions } = await openTestShop()
    const { id, items } = await stripe.subscriptions.retrieve(subscriptions['sub_1001'] ?? '')
    const data = items.data.map((item, at) => (at === 0 ? { ...item, quantity: 0 } : item))
    standIn.change(id, { items: { ...items, data } })
    const shown = async () => (await store.getSubscription({ email }, contextOf()))?.items.map((item) => item.id)
    expect(await shown()).toEqual(['test_67890'])
    await store.addProduct({ ...one('test_12345'), email }, contextOf())
    expect(await shown()).toEqual(['test_12345', 'test_67890'])
  })

  it('reports metadata that cannot be read, and sends a decimal amount as it is', async () => {
    const { store, stripe, standIn } = await openTestShop()
    await stripe.products.create({ id: 'leaf', name: 'Leaf', metadata: { storeport_compare_at: '49.95' } })
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the client accepts a string
    const unit_amount_decimal = '12.5' as unknown as Stripe.Decimal
    const recurring = { interval: 'month' } as const
    await stripe.prices.create({ product: 'leaf', currency: 'usd', unit_amount_decimal, recurring })
    expect(await store.ready()).toEqual([
      'Products not supported: 1 because its metadata storeport_compare_at is not an amount in minor units: leaf',
    ])
    await store.addProduct({ ...one('leaf'), email, one_time: true }, contextOf())
    const sent = standIn.requests.findLast(({ method, path }) => method === 'POST' && path === '/v1/invoiceitems')
    expect(sent?.params['price_data']).toEqual({ currency: 'usd', product: 'leaf', unit_amount_decimal: '12.5' })
  })

  it('bills one-time items with the order that sendNow sends, and rejects a later undo', async () => {
    const { store, stripe, pass } = await openTestShop()
    await store.addProduct({ ...one('test_54321'), email, one_time: true }, contextOf())
    await store.addProduct({ ...one('test_67890'), email }, contextOf())
    await store.sendNow({ email }, contextOf())
    expect(await paidLines(stripe)).toEqual([{ test_12345: 2, test_54321: 1, test_67890: 2, [shippingProduct]: 1 }])
    expect(await send(store, click('undoAddProduct', { email, product_id: 'test_67890' }))).toBe('product_not_in_order')
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

  it('replaces the percentage of a swapped item only by another percentage', async () => {
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
    expect(await discount()).toBe(25.78)
  })

  it.each([
    [1900, 19],
    [2100, undefined],
  ])('shows and bills the current price of an archived price, unless it is higher: %d', async (unit_amount, price) => {
    const { store, stripe, subscriptions } = await openTestShop()
    const old = await stripe.subscriptions.retrieve(subscriptions['sub_2003'] ?? '')
    const input = { email: 'cancelled@example.com', subscription_id: old.id }
    const find = async () =>
      (await store.listCancelledSubscriptions(input, contextOf())).subscriptions.find(
        ({ subscription_id }) => subscription_id === old.id,
      )
    const rejected = { code: 'subscription_not_eligible' }
    expect(await find()).toMatchObject({ products: [{ id: 'test_12345', price: 19.95 }] })
    await stripe.prices.update(old.items.data[0]?.price.id ?? '', { active: false })
    expect(await find()).toBeUndefined()
    await expect(store.reactivateSubscription(input, contextOf())).rejects.toMatchObject(rejected)
    await createPrice(stripe, 'test_12345', unit_amount)
    if (price === undefined) {
      expect(await find()).toBeUndefined()
      await expect(store.reactivateSubscription(input, contextOf())).rejects.toMatchObject(rejected)
      return
    }
    expect((await find())?.products).toMatchObject([{ price }])
    await store.reactivateSubscription(input, contextOf())
    expect((await store.getSubscription({ email: input.email }, contextOf()))?.items).toMatchObject([{ price }])
  })

  it('does not offer a cancelled subscription with an archived product, which Stripe rejects', async () => {
    const { another, stripe, subscriptions } = await openTestShop()
    await stripe.products.update('test_12345', { active: false })
    const input = { email: 'cancelled@example.com', subscription_id: subscriptions['sub_2003'] ?? '' }
    const { subscriptions: offered } = await another().listCancelledSubscriptions(input, contextOf())
    expect(offered.map(({ subscription_id }) => subscription_id)).toEqual([subscriptions['sub_2002']])
    expect(await send(another(), click('reactivateSubscription', input))).toBe('subscription_not_eligible')
  })

  it('copies settings and metadata to a recreated subscription', async () => {
    const { store, stripe, standIn, subscriptions } = await openTestShop()
    const old = await stripe.subscriptions.retrieve(subscriptions['sub_2003'] ?? '')
    const payment_settings = { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' }
    const data = old.items.data.map((item) => ({ ...item, metadata: { gift: 'yes' } }))
    const invoice_settings = { ...old.invoice_settings, footer: 'Thank you' }
    standIn.change(old.id, {
      payment_settings: { ...payment_settings, payment_method_options: null },
      invoice_settings,
    })
    standIn.change(old.id, { items: { ...old.items, data } })
    await store.reactivateSubscription({ email: 'cancelled@example.com', subscription_id: old.id }, contextOf())
    const [made] = (await stripe.subscriptions.list({ limit: 1 })).data
    const metadata = { seeded_as: 'sub_2003', storeport_replaces: old.id }
    const items = { data: [{ metadata: { gift: 'yes' } }] }
    expect(made).toMatchObject({ status: 'trialing', metadata, payment_settings, invoice_settings, items })
    const sent = standIn.requests.find(
      ({ method, params }) => method === 'POST' && 'currency' in params && 'items' in params,
    )
    expect(sent?.params['currency']).toBe('usd')
  })

  it('takes the default price of the interval, or the only price', async () => {
    const { store, stripe, another } = await openTestShop()
    const priceOf = async (from = store, id = 'test_54321') =>
      (await from.listProducts({}, contextOf())).products.find((product) => product.id === id)?.price
    expect(await priceOf()).toBe(49.95)
    const second = await createPrice(stripe, 'test_54321', 4000)
    const yearly = await createPrice(stripe, 'test_54321', 100, 'year')
    const add = { email, product_id: 'test_54321', quantity: 1, one_time: false }
    await expect(store.addProduct(add, contextOf())).rejects.toMatchObject({ code: 'product_unavailable' })
    await stripe.products.update('test_54321', { default_price: yearly.id })
    await expect(store.addProduct(add, contextOf())).rejects.toMatchObject({ code: 'product_unavailable' })
    expect(await store.ready()).toEqual([
      'Products not supported: 1 because it has several prices for an interval, and none is its default price: test_54321',
    ])
    await stripe.products.update('test_54321', { default_price: second.id })
    expect(await priceOf(another())).toBe(40)
    expect(await priceOf(another({ interval: { unit: 'year', count: 1 } }))).toBe(1)
    expect(await priceOf(another({ interval: { unit: 'month', count: 12 } }))).toBeUndefined()
    const selected = another({ priceOf: () => yearly.id })
    await expect(selected.addProduct(add, contextOf())).rejects.toMatchObject({ code: 'product_unavailable' })
  })

  it('rejects an undo after an invoice of the subscription, even in the same period', async () => {
    const { store, stripe, standIn, pass } = await openTestShop()
    await store.addProduct({ ...one('test_54321'), email }, contextOf())
    await pass(60_000)
    const [invoice] = (await stripe.invoices.list({ limit: 100 })).data.filter(
      ({ parent }) => parent?.subscription_details?.subscription !== undefined,
    )
    const created = Math.floor(Date.parse('2026-03-10T09:00:30Z') / 1000)
    const { subscriptions } = await stripe.customers
      .list({ email, expand: ['data.subscriptions'] })
      .then(({ data }) => data[0] ?? { subscriptions: undefined })
    const current = subscriptions?.data.find(({ items }) => items.data.length > 2)
    const parent = { ...invoice?.parent, subscription_details: { metadata: null, subscription: current?.id ?? '' } }
    standIn.change(invoice?.id ?? '', { created, parent, subtotal: 100 })
    expect(await send(store, click('undoAddProduct', { email, product_id: 'test_54321' }))).toBe('product_not_in_order')
  })
})

function createPrice(
  stripe: StripeShop['stripe'],
  product: string,
  unit_amount: number,
  interval: 'month' | 'year' = 'month',
) {
  return stripe.prices.create({ product, currency: 'usd', unit_amount, recurring: { interval } })
}

function one(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}

/** Returns the quantities of all paid invoices, by product. */
async function paidLines(stripe: StripeShop['stripe']) {
  const { data } = await stripe.invoices.list({ limit: 100 })
  return data
    .filter(({ amount_paid }) => amount_paid > 0)
    .map(({ lines }) =>
      Object.fromEntries(lines.data.map(({ pricing, quantity }) => [pricing?.price_details?.product, quantity])),
    )
}
