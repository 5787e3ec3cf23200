import { contextOf } from '@storeport/testing/clicks'
import { describe, expect, it } from 'vitest'
import { email, openTestShop, type StripeShop } from './open-shop.ts'

/** Runs a call and returns its requests to Stripe, in order. */
async function record({ standIn }: StripeShop, call: () => Promise<unknown>): Promise<string[]> {
  const before = standIn.requests.length
  await call()
  return standIn.requests.slice(before).map(({ method, path }) => `${method} ${path.replace(/_\d.*$/, '')}`)
}

const customers = 'GET /v1/customers'
const products = 'GET /v1/products'
const prices = 'GET /v1/prices'
const preview = 'POST /v1/invoices/create_preview'

describe('a read operation sends at most two requests', () => {
  const former = 'cancelled@example.com'
  const general = ({ store }: StripeShop) => store.listProducts({}, contextOf())
  const personal = ({ store }: StripeShop) => store.listProducts({ email }, contextOf())
  const current = ({ store }: StripeShop) => store.getSubscription({ email }, contextOf())
  const cancelled = ({ store }: StripeShop) => store.listCancelledSubscriptions({ email: former }, contextOf())
  const discount = ({ store }: StripeShop) => store.getDiscount({ discount_code: 'TEST10' }, contextOf())
  const lists = [customers, 'GET /v1/subscriptions']

  it.each([
    ['listProducts', general, [prices], [], 0],
    ['listProducts for a customer', personal, [customers, prices], [customers], 1],
    ['getSubscription', current, [customers, preview, products], [customers, preview], 1],
    ['listCancelledSubscriptions', cancelled, [...lists, products], lists, 2],
    ['getDiscount', discount, ['GET /v1/promotion_codes'], ['GET /v1/promotion_codes'], 1],
  ] as const)('after its first call: %s', async (name, read, cold, warm, reads) => {
    const shop = await openTestShop()
    expect(await record(shop, () => read(shop))).toEqual(cold)
    const repeated = await record(shop, () => read(shop))
    expect(repeated).toEqual(warm)
    expect(repeated.filter((request) => request.startsWith('GET'))).toHaveLength(reads)
    await shop.pass(60_000)
    expect(await record(shop, () => read(shop))).toEqual(name.startsWith('listProducts') ? cold : warm)
    await shop.pass(3_600_000)
    expect(await record(shop, () => read(shop))).toEqual(cold)
  })

  it('if the order has one-time lines and discounts', async () => {
    const shop = await openTestShop()
    const add = { email, product_id: 'test_54321', quantity: 2, one_time: true, discount_code: 'TEST10' }
    await shop.store.addProduct(add, contextOf())
    const before = await current(shop)
    expect(await record(shop, () => current(shop))).toEqual([customers, preview])
    expect(before?.items).toContainEqual(expect.objectContaining({ id: 'test_54321~once', price: 49.95, quantity: 2 }))
    expect(before?.order_discount_total).toBeGreaterThanOrEqual(9.99)
  })

  it('with an exception: more than ten invoice lines, or an email in another letter case, need more requests', async () => {
    const shop = await openTestShop()
    const [customer] = (await shop.stripe.customers.list({ email })).data
    for (let line = 1; line <= 11; line += 1) {
      const { id: product } = await shop.stripe.products.create({ id: `extra_${line}`, name: `Extra ${line}` })
      await shop.stripe.invoiceItems.create({
        ...{ customer: customer?.id ?? '', subscription: shop.subscriptions['sub_1001'] ?? '' },
        price_data: { currency: 'usd', product, unit_amount: 100 },
      })
    }
    const subscription = await current(shop)
    expect(subscription?.items.filter(({ id }) => id.endsWith('~once'))).toHaveLength(11)
    expect(await record(shop, () => current(shop))).toEqual([customers, preview, 'GET /v1/invoiceitems'])
    const shouted = () => shop.store.listProducts({ email: email.toUpperCase() }, contextOf())
    expect(await record(shop, shouted)).toEqual([customers, customers, prices])
  })
})

describe('the option dryRun', () => {
  it('passes each change to the function instead of sending it, and the operation fails with 503', async () => {
    const shop = await openTestShop()
    const printed: string[] = []
    const store = shop.another({ dryRun: (line) => void printed.push(line) })
    const sent = shop.standIn.requests.length
    const rejected = { code: 'store_unavailable', outcome: 'refused', message: 'Dry run: nothing was changed.' }
    const input = { email, product_id: 'test_54321', quantity: 2, one_time: false }
    await expect(store.addProduct(input, contextOf())).rejects.toMatchObject(rejected)
    await expect(store.sendNow({ email }, contextOf())).rejects.toMatchObject(rejected)
    await expect(
      store.runCustomAction({ email, action_id: 'join_waitlist_product_123' }, contextOf()),
    ).rejects.toMatchObject(rejected)
    expect((await store.getSubscription({ email }, contextOf()))?.items).toHaveLength(2)
    expect(printed).toHaveLength(3)
    expect(printed[0]).toMatch(/^subscriptions\.update\("sub_\d+", \{"items":\[.*"quantity":2/)
    const changes = shop.standIn.requests.slice(sent).filter(({ method }) => method !== 'GET')
    expect(changes.map(({ path }) => path)).toEqual(['/v1/invoices/create_preview'])
    expect(await store.ready()).toEqual([])
  })
})
