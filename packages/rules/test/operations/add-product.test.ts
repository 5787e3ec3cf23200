import { addProduct } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, given, codeOf, today, visitor } from '../given.ts'

describe('addProduct with an active subscription', () => {
  it('increases the quantity of a recurring item without changing its price', () => {
    const items = [{ id: 'mine', product_id: 'test_12345', quantity: 3, price: 15 }]
    const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date: today, items }] })
    const after = addProduct(account, add('test_12345', { quantity: 2 }), shop)
    expect(after.subscriptions[0]?.items).toEqual([
      { id: 'mine', product_id: 'test_12345', quantity: 5, price_minor: 1500, one_time: false },
    ])
  })
})

describe('addProduct without an active subscription', () => {
  it('creates an open one-off order for each addition', () => {
    const { account, shop } = visitor()
    const after = addProduct(account, add('test_67890', { quantity: 2 }), shop)
    expect(after.orders).toEqual([
      {
        id: 'order_new1',
        kind: 'one_off',
        subscription_id: null,
        status: 'open',
        placed_on: today,
        lines: [
          {
            product_id: 'test_67890',
            title: 'Single Origin Ethiopia, 500 g',
            quantity: 2,
            price_minor: 2995,
            one_time: true,
          },
        ],
        items_minor: 5990,
        discount_minor: 0,
        shipping_minor: 0,
        tax_minor: 0,
        total_minor: 5990,
      },
    ])
    expect(after.adds).toMatchObject([{ order_id: 'order_new1', subscription_id: null, item_id: null }])
    const more = addProduct(after, add('test_67890'), shop)
    expect(more.orders.map(({ total_minor }) => total_minor)).toEqual([5990, 2995])
  })
})

describe('addProduct with an invalid input', () => {
  const invalid = { quantity: 9999, discount_code: 'NOSUCHCODE', one_time: true }

  it.each([
    ['product_not_found', add('nothing', invalid)],
    ['product_unavailable', add('test_00000', invalid)],
    ['subscription_not_found', add('test_12345', invalid)],
    ['invalid_discount_code', add('test_12345', { ...invalid, one_time: false })],
  ])('throws the error with the highest priority: %s', (code, input) => {
    const { account, shop } = visitor()
    expect(codeOf(() => addProduct(account, input, shop))).toBe(code)
  })
})
