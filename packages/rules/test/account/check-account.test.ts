import { bindRules, checkAccount, type CustomerAccount, type Shop } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { contextOf } from '@storeport/testing/clicks'
import { seeded } from '../given.ts'

const { account, shop } = seeded('subscription@example.com')

/** Returns the account with other values. */
function withAccount(values: object): CustomerAccount {
  return { ...account, ...values }
}

/** Returns the account with other values in its first subscription, like the values that an incorrect mapping loads. */
function withSubscription(values: object): CustomerAccount {
  const [first, ...others] = account.subscriptions
  if (first === undefined) throw new Error('The subscription is missing.')
  return { ...account, subscriptions: [{ ...first, ...values }, ...others] }
}

/** Returns the account with other values in its first item. */
function withItem(values: object): CustomerAccount {
  const [first, ...others] = account.subscriptions[0]?.items ?? []
  if (first === undefined) throw new Error('The item is missing.')
  return withSubscription({ items: [{ ...first, ...values }, ...others] })
}

const add = {
  id: 'add_1',
  product_id: 'tea',
  subscription_id: null,
  item_id: null,
  order_id: null,
  discount_use_id: null,
}

describe('checkAccount', () => {
  it('accepts all accounts in the seed', () => {
    for (const email of ['test', 'subscription', 'cancelled', 'another'])
      expect(() => checkAccount(seeded(`${email}@example.com`).account)).not.toThrow()
  })

  it.each([
    [withItem({ price_minor: 19.95 }), 'subscription_item item_1: price_minor must be an integer of at least 0'],
    [withItem({ quantity: 0 }), 'subscription_item item_1: quantity must be an integer of at least 1'],
    [withItem({ id: 'item_2' }), 'subscription_item item_2: id must be unique'],
    [withItem({ id: 7 }), 'subscription_item 7: id must be a string that is not empty'],
    [
      withItem({ product_id: 'test_67890' }),
      'subscription sub_1001: items must have at most one recurring item of test_67890',
    ],
    [withSubscription({ id: 'sub_1002' }), 'subscription sub_1002: id must be unique'],
    [
      withSubscription({ interval: { unit: 'year', count: 1 } }),
      'subscription sub_1001: interval.unit must be day, week or month',
    ],
    [
      withSubscription({ interval: { unit: 'month', count: 0 } }),
      'subscription sub_1001: interval.count must be an integer of at least 1',
    ],
    [withSubscription({ tax_rate: '0.08' }), 'subscription sub_1001: tax_rate must be a number of at least 0'],
    [
      withSubscription({ shipping_minor: null }),
      'subscription sub_1001: shipping_minor must be an integer of at least 0',
    ],
    [
      withSubscription({ anchor_day: 0 }),
      'subscription sub_1001: anchor_day must be an integer of at least 1, or null',
    ],
    [withSubscription({ status: 'expired' }), 'subscription sub_1001: status must be active, cancelled or paused'],
    [
      withSubscription({ next_billing_date: new Date(0) }),
      'subscription sub_1001: next_billing_date must be a date in the form YYYY-MM-DD',
    ],
    [withSubscription({ skipped: ['soon'] }), 'subscription sub_1001: skipped must be a date in the form YYYY-MM-DD'],
    [withSubscription({ status: 'paused' }), 'subscription sub_1001: next_billing_date must be null for this status'],
    [withAccount({ adds: null }), 'account: adds must be a list'],
    [withSubscription({ items: null }), 'subscription sub_1001: items must be a list'],
    [withSubscription({ interval: null }), 'subscription sub_1001: interval.unit must be day, week or month'],
    [{ adds: [{ ...add, quantity: 0 }] }, 'add add_1: quantity must be an integer of at least 1'],
  ])('rejects invalid account %#: %s', (loaded, message) => {
    expect(() => checkAccount(loaded)).toThrow(new Error(message))
  })
})

it('checks the account in every read and change of a store', async () => {
  const loaded = withItem({ price_minor: 19.95 })
  const { email } = loaded
  const store = bindRules({
    read: async (_name, input, _context, rule) => rule(loaded, input, shop),
    change: async (_name, input, _context, rule) => rule(loaded, input, shop),
  })
  for (const call of [store.getSubscription({ email }, contextOf()), store.sendNow({ email }, contextOf())])
    await expect(call).rejects.toThrow('price_minor must be an integer')
})

it('checks the products and the discount code that a rule uses', async () => {
  const { email } = account
  const [product] = shop.offered()
  const discount = shop.discount('TEST10')
  if (product === undefined || discount === undefined) throw new Error('The seed is empty.')
  const wrong = (values: object): Shop => ({
    ...shop,
    product: () => ({ ...product, ...values }),
    offered: () => [{ ...product, ...values }],
    discount: () => ({ ...discount, ...values }),
  })
  const storeOf = (values: object) =>
    bindRules({
      read: async (_name, input, _context, rule) => rule(account, input, wrong(values)),
      change: async (_name, input, _context, rule) => rule(account, input, wrong(values)),
    })
  const adding = { email, product_id: product.id, quantity: 1, one_time: false }
  const price = `product ${product.id}: price_minor must be an integer of at least 0`
  await expect(storeOf({ price_minor: -1 }).addProduct(adding, contextOf())).rejects.toThrow(price)
  await expect(storeOf({ price_minor: 19.95 }).listProducts({}, contextOf())).rejects.toThrow(price)
  await expect(storeOf({ images: null }).listProducts({}, contextOf())).rejects.toThrow('images must be a list')
  const oldPrice = storeOf({ compare_at_price_minor: undefined }).listProducts({}, contextOf())
  await expect(oldPrice).rejects.toThrow('compare_at_price_minor must be an integer of at least 0, or null')
  const percent = storeOf({ kind: 'percentage', percentage: 0 }).getDiscount({ discount_code: 'TEST10' }, contextOf())
  await expect(percent).rejects.toThrow('discount TEST10: percentage must be a number above 0 and at most 100')
  const uses = storeOf({ uses: null }).getDiscount({ discount_code: 'TEST10' }, contextOf())
  await expect(uses).rejects.toThrow('uses must be an integer of at least 0')
})
