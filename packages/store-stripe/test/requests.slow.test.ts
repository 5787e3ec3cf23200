import { stripeCosts } from '@storeport/store-stripe'
import { contextOf } from '@storeport/testing/clicks'
import { describe, expect, it } from 'vitest'
import { readsPerWidget } from '../src/stripe/stripe-costs.ts'
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
    ['listProducts', general, [prices], []],
    ['listProducts for a customer', personal, [customers, prices], [customers]],
    ['getSubscription', current, [customers, preview, products], [customers, preview]],
    ['listCancelledSubscriptions', cancelled, [...lists, products], lists],
    ['getDiscount', discount, ['GET /v1/promotion_codes'], ['GET /v1/promotion_codes']],
  ] as const)('after its first call: %s', async (name, read, cold, warm) => {
    const shop = await openTestShop()
    expect(await record(shop, () => read(shop))).toEqual(cold)
    expect(await record(shop, () => read(shop))).toEqual(warm)
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

it('stripeCosts contains the number of requests of each method', async () => {
  const shop = await openTestShop()
  const { store, subscriptions } = shop
  const code = { discount_code: 'TEST10' }
  const grinder = { email, product_id: 'test_54321', quantity: 1 }
  const former = { email: 'cancelled@example.com' }
  await store.addProduct({ ...grinder, one_time: true }, contextOf())
  await store.addProduct({ ...grinder, product_id: 'test_67890', one_time: true }, contextOf())
  const swap = { email, current_item_id: 'test_54321~once', new_product_id: 'test_67890' }
  const counted: Record<string, number> = {}
  const count = async (name: keyof typeof stripeCosts, call: () => Promise<unknown>) => {
    counted[name] = (await record(shop, call)).length
  }
  for (const _ of ['cold', 'warm']) {
    await count('listProducts', () => store.listProducts({ email }, contextOf()))
    await count('getSubscription', () => store.getSubscription({ email }, contextOf()))
    await count('listCancelledSubscriptions', () => store.listCancelledSubscriptions(former, contextOf()))
    await count('getDiscount', () => store.getDiscount(code, contextOf()))
  }
  await count('swapProduct', () => store.swapProduct({ ...swap, ...code }, contextOf()))
  await count('addProduct', () => store.addProduct({ ...grinder, ...code, one_time: true }, contextOf()))
  await count('undoAddProduct', () => store.undoAddProduct({ email, product_id: 'test_54321' }, contextOf()))
  await count('sendNow', () => store.sendNow({ email }, contextOf()))
  await count('delaySubscription', () => store.delaySubscription({ email, new_date: '2026-05-01' }, contextOf()))
  await count('reactivateSubscription', () =>
    store.reactivateSubscription({ ...former, ...code, subscription_id: subscriptions['sub_2003'] ?? '' }, contextOf()),
  )
  const action = { email, action_id: 'join_waitlist_product_123' }
  await count('runCustomAction', () => store.runCustomAction(action, contextOf()))
  const clickIdentity = { named: true, fingerprint: 'f', windowMs: 0 }
  const attempts = { firstAttemptAt: 0, lastAttemptAt: 0, ledgerIsYoung: false }
  await count('reconcile', async () =>
    store.reconcile?.('runCustomAction', action, { ...contextOf(), clickIdentity, ...attempts }),
  )
  expect(counted).toEqual(stripeCosts)
  const reads = async (call: () => Promise<unknown>) =>
    (await record(shop, call)).filter((request) => request.startsWith('GET')).length
  expect({
    upsells: await reads(() => store.listProducts({ email }, contextOf())),
    portal: await reads(() => store.getSubscription({ email }, contextOf())),
    reactivate: await reads(() => store.listCancelledSubscriptions(former, contextOf())),
  }).toEqual(readsPerWidget)
})
