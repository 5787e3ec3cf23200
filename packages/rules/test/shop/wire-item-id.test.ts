import { addProduct, getSubscription, isUsableProductId, swapProduct, wireItemId } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, given, productWith, codeOf, swap } from '../given.ts'

it('returns the product id, with ~once for a one-time item', () => {
  expect(wireItemId({ product_id: 'tea', one_time: false })).toBe('tea')
  expect(wireItemId({ product_id: 'tea', one_time: true })).toBe('tea~once')
})

describe('invalid product id in an older database', () => {
  const long = 'x'.repeat(251)
  const product = (id: string) => productWith({ id, title: id, price_minor: 100 })
  const old = (items: readonly { id: string; product_id: string; one_time?: boolean }[]) => {
    const started = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01' }] }, { product })
    const [subscription] = started.account.subscriptions
    if (subscription === undefined) throw new Error('The subscription is lost.')
    const kept = items.map(({ one_time = false, ...item }) => ({ ...item, quantity: 1, price_minor: 100, one_time }))
    return { ...started, account: { ...started.account, subscriptions: [{ ...subscription, items: kept }] } }
  }

  it('does not include valid ids of 1 to 250 characters', () => {
    expect(['t', 'x'.repeat(250), '~once more', 'tea~Once', 'tea-once'].every(isUsableProductId)).toBe(true)
    expect(isUsableProductId('')).toBe(false)
  })

  it.each(['tea~once', long])('can be added only as a recurring item: %s', (id) => {
    const started = old([])
    const added = addProduct(started.account, add(id), started.shop)
    expect(getSubscription(added, customer, started.shop).items).toMatchObject([{ id }])
    expect(codeOf(() => addProduct(started.account, add(id, { one_time: true }), started.shop))).toBe(
      'product_unavailable',
    )
  })

  it('is rejected as the new product of a one-time item', () => {
    const started = old([{ id: 'row', product_id: 'coffee', one_time: true }])
    expect(codeOf(() => swapProduct(started.account, swap('coffee~once', 'tea~once'), started.shop))).toBe(
      'product_unavailable',
    )
  })

  it('never causes duplicate item ids', () => {
    const one = old([{ id: 'row', product_id: 'tea~once' }])
    expect(codeOf(() => addProduct(one.account, add('tea', { one_time: true }), one.shop))).toBe('product_unavailable')
    const other = old([
      { id: 'row', product_id: 'tea', one_time: true },
      { id: 'other row', product_id: 'coffee' },
    ])
    expect(codeOf(() => addProduct(other.account, add('tea~once'), other.shop))).toBe('product_unavailable')
    expect(codeOf(() => swapProduct(other.account, swap('coffee', 'tea~once'), other.shop))).toBe('product_unavailable')
  })
})
