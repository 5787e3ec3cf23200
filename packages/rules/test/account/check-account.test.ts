import { bindRules, checkAccount, type CustomerAccount, type Shop } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, codeOf, seeded, undo } from '../given.ts'

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

/** Returns the message of a problem in the first subscription. */
const sub = (problem: string) => `subscription sub_1001: ${problem}`

const openAdd = {
  id: 'add_1',
  product_id: 'tea',
  subscription_id: null,
  item_id: null,
  order_id: null,
  discount_use_id: null,
}

const use = { id: 'use_1', kind: 'percentage', percentage: 10, subscription_id: null, order_id: null, items: [] }

describe('checkAccount', () => {
  it('accepts all accounts in the seed', () => {
    for (const email of ['test', 'subscription', 'cancelled', 'another'])
      expect(() => checkAccount(seeded(`${email}@example.com`).account)).not.toThrow()
  })

  it.each([
    [withItem({ price_minor: 19.95 }), 'subscription_item item_1: price_minor must be an integer of at least 0'],
    [withItem({ quantity: -1 }), 'subscription_item item_1: quantity must be an integer of at least 0'],
    [withItem({ one_time: 0 }), 'subscription_item item_1: one_time must be true or false'],
    [withItem({ product_id: 7 }), 'subscription_item item_1: product_id must be a string that is not empty'],
    [withItem({ id: 'item_2' }), 'subscription_item item_2: id must be unique'],
    [withItem({ id: 7 }), 'subscription_item 7: id must be a string that is not empty'],
    [withItem({ product_id: 'test_67890' }), sub('items must have at most one recurring item of test_67890')],
    [withSubscription({ id: 'sub_1002' }), 'subscription sub_1002: id must be unique'],
    [withSubscription({ interval: { unit: 'year', count: 1 } }), sub('interval.unit must be day, week or month')],
    [
      withSubscription({ interval: { unit: 'month', count: 0 } }),
      sub('interval.count must be an integer of at least 1'),
    ],
    ...['0.08', 8, 1, -0.1, null, Number.NaN].map((tax_rate): [CustomerAccount, string] => [
      withSubscription({ tax_rate }),
      sub('tax_rate must be at least 0 and below 1: 0.08 means 8 %'),
    ]),
    [withSubscription({ shipping_minor: null }), sub('shipping_minor must be an integer of at least 0')],
    [withSubscription({ anchor_day: 0 }), sub('anchor_day must be an integer of at least 1, or null')],
    [withSubscription({ status: 'expired' }), sub('status must be active, cancelled or paused')],
    [
      withSubscription({ next_billing_date: new Date(0) }),
      sub('next_billing_date must be a date in the form YYYY-MM-DD'),
    ],
    [withSubscription({ skipped: ['soon'] }), sub('skipped must be a date in the form YYYY-MM-DD')],
    [withSubscription({ cancelled_on: '2001-01-31' }), sub('cancelled_on must be null for this status')],
    [withAccount({ adds: null }), 'account: adds must be a list'],
    [withSubscription({ items: null }), sub('items must be a list')],
    [withSubscription({ interval: null }), sub('interval.unit must be day, week or month')],
    [{ adds: [{ ...openAdd, quantity: 0 }] }, 'add add_1: quantity must be an integer of at least 1'],
    [
      withAccount({ discount_uses: [{ ...use, code: null }] }),
      'discount_use use_1: code must be a string that is not empty',
    ],
  ])('rejects invalid account %#: %s', (loaded, message) => {
    expect(() => checkAccount(loaded)).toThrow(new TypeError(message))
  })
})

const cancelled = { status: 'cancelled', next_billing_date: null, cancelled_on: '2001-01-31' }
const shipped = { ...account.orders[0], id: 'order_1', status: 'shipped', lines: null, items_minor: 'x' }

it.each<[what: string, loaded: CustomerAccount]>([
  ['an item of quantity 0', withItem({ quantity: 0 })],
  ['an invalid cancelled subscription', withSubscription({ ...cancelled, tax_rate: 8, interval: null, anchor_day: 0 })],
  ['a cancelled subscription without lists', withSubscription({ ...cancelled, items: null, skipped: null })],
  [
    'an invalid item of a paused subscription',
    withSubscription({ status: 'paused', items: [{ id: 7, quantity: -1 }] }),
  ],
  ['an invalid order that has shipped', withAccount({ orders: [shipped] })],
])('accepts an account with %s', (_what, loaded) => {
  expect(() => checkAccount(loaded)).not.toThrow()
})

const rules = bindRules()

it('checks the account of every read and change', () => {
  const loaded = withItem({ price_minor: 19.95 })
  for (const rule of [rules.getSubscription, rules.sendNow])
    expect(() => rule(loaded, { email: loaded.email }, shop)).toThrow('price_minor must be an integer')
})

it('checks the products and the discount code that a rule uses', () => {
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
  const adding = { email, product_id: product.id, quantity: 1, one_time: false }
  const price = `product ${product.id}: price_minor must be an integer of at least 0`
  expect(() => rules.addProduct(account, adding, wrong({ price_minor: -1 }))).toThrow(price)
  const get = (values: object) => () => rules.getDiscount(undefined, { discount_code: 'TEST10' }, wrong(values))
  const percentage = 'discount TEST10: percentage must be a number above 0 and at most 100'
  expect(get({ kind: 'percentage', percentage: 0 })).toThrow(percentage)
  expect(get({ uses: null })).toThrow('uses must be an integer of at least 0')
  expect(get({ code: 10 })).toThrow('discount 10: code must be a string that is not empty')
})

it('accepts null for a customer, a product or a code that does not exist, as databases return it', () => {
  const { email } = account
  const none = JSON.parse('null')
  const empty: Shop = { ...shop, product: () => none, discount: () => none }
  const adding = { email, product_id: 'none', quantity: 1, one_time: false }
  expect(codeOf(() => rules.sendNow(none, { email }, shop))).toBe('customer_not_found')
  expect(codeOf(() => rules.addProduct(account, adding, empty))).toBe('product_not_found')
  expect(codeOf(() => rules.getDiscount(undefined, { discount_code: 'X' }, empty))).toBe('discount_not_found')
  expect(() => rules.getSubscription(account, { email }, empty)).toThrow('is not in the catalog')
})

describe('a broken row', () => {
  const { email } = account
  const lost = { id: 'item_lost', product_id: 'lost', quantity: 1, price_minor: 100, one_time: false }
  const [current] = account.subscriptions
  const ended = { ...current, ...cancelled, cancelled_on: shop.today, id: 'sub_ended', items: [lost] }
  const withEnded = (values: object) =>
    withAccount({ subscriptions: [...account.subscriptions, { ...ended, ...values }] })

  it('of a cancelled subscription fails no operation on the current subscription', () => {
    const loaded = withEnded({ tax_rate: 8 })
    for (const rule of [rules.getSubscription, rules.sendNow]) expect(() => rule(loaded, { email }, shop)).not.toThrow()
  })

  it('of a cancelled subscription whose product no longer exists is not listed and not reactivated', () => {
    const listed = rules.listCancelledSubscriptions(withEnded({}), { email }, shop)
    expect(listed.subscriptions.filter(({ subscription_id }) => subscription_id === ended.id)).toEqual([])
    const reactivate = () => rules.reactivateSubscription(withEnded({}), { email, subscription_id: ended.id }, shop)
    expect(codeOf(reactivate)).toBe('subscription_not_eligible')
  })

  it.each([
    [{ items: [], tax_rate: 8 }, 'tax_rate must be at least 0 and below 1: 0.08 means 8 %'],
    [{ items: null }, 'items must be a list'],
    [{ items: [], skipped: null }, 'skipped must be a list'],
  ])('of a cancelled subscription is an error only when that subscription is reactivated: %j', (values, problem) => {
    const loaded = withEnded(values)
    const reactivate = (subscription_id: string) =>
      rules.reactivateSubscription(loaded, { email, subscription_id }, shop)
    expect(() => reactivate(ended.id)).toThrow(new TypeError(`subscription sub_ended: ${problem}`))
    expect(codeOf(() => reactivate('sub_1001'))).toBe('subscription_not_cancelled')
    const added = rules.addProduct(loaded, add('test_54321'), shop)
    expect(() => rules.undoAddProduct(added, undo('test_54321'), shop)).not.toThrow()
  })

  it('of a cancelled subscription is returned as it is, so that the integration can report its id', () => {
    const { subscriptions } = rules.listCancelledSubscriptions(withEnded({ items: null }), { email }, shop)
    expect(subscriptions).toMatchObject([{ subscription_id: ended.id, products: null }])
  })

  it('of the current subscription names the subscription and the product', () => {
    expect(() => rules.getSubscription(withItem({ product_id: 'lost' }), { email }, shop)).toThrow(
      new TypeError(sub('its product lost is not in the catalog')),
    )
  })

  it.each<[what: string, values: object, later: object]>([
    ['an open order', { orders: [{ ...shipped, status: 'open' }] }, {}],
    ['an addition', { adds: [{ ...openAdd, quantity: 0 }] }, {}],
    ['a later subscription', {}, { tax_rate: 8, shipping_minor: -1, items: [{ id: 7, quantity: '2' }] }],
  ])('of %s fails no operation that does not use it', (_what, values, later) => {
    const [first, second] = account.subscriptions
    const loaded = withAccount(
      JSON.parse(JSON.stringify({ subscriptions: [first, { ...second, ...later }], ...values })),
    )
    expect(rules.getSubscription(loaded, { email }, shop)?.items).toHaveLength(2)
    expect(() => rules.addProduct(loaded, add('test_54321'), shop)).not.toThrow()
    expect(() => checkAccount(loaded)).toThrow(TypeError)
  })

  it('of the current subscription does not fail the list of products', () => {
    const loaded = withSubscription({ tax_rate: 8, shipping_minor: null })
    expect(rules.listProducts(loaded, { email }, shop).products).toHaveLength(1)
    expect(() => rules.getSubscription(loaded, { email }, shop)).toThrow('shipping_minor must be')
  })

  it('of the catalog is returned as it is, so that the integration can report its id', () => {
    const invalid = { price_minor: '1', compare_at_price_minor: undefined, images: null }
    const catalogue = Object.assign({ ...shop }, { product: (id: string) => ({ ...shop.product(id), ...invalid }) })
    expect(rules.listProducts(account, {}, catalogue)).toMatchObject({
      products: [{ price: '1', images: null }],
    })
  })

  it('of quantity 0 needs no product', () => {
    const nothing = { ...lost, quantity: 0 }
    const shown = rules.getSubscription(withSubscription({ items: [nothing] }), { email }, shop)
    expect(shown?.items).toEqual([])
    const listed = rules.listCancelledSubscriptions(withEnded({ items: [nothing] }), { email }, shop)
    expect(listed.subscriptions.filter(({ subscription_id }) => subscription_id === ended.id)).toMatchObject([
      { products: [] },
    ])
  })
})
