import { addProduct, getSubscription } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, given, inTurn, codeOf, subscriber, today, visitor } from '../given.ts'

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

  it.each([
    ['a percentage', '  test20 ', { discount_minor: 1198, total_minor: 4792 }],
    ['a fixed amount', 'FIVEOFF', { discount_minor: 500, total_minor: 5490 }],
    ['at most the sum of the lines', 'HUGE', { discount_minor: 5990, total_minor: 0 }],
  ])('subtracts %s from the order, and records the use of the code', (_, discount_code, order) => {
    const { account, shop } = visitor()
    const after = addProduct(account, add('test_67890', { quantity: 2, discount_code }), shop)
    expect(after.orders).toMatchObject([{ items_minor: 5990, ...order }])
    const code = discount_code.trim().toUpperCase()
    const use = { code, order_id: 'order_new1', subscription_id: null, used_on: today }
    expect(after.discount_uses).toMatchObject([use])
  })
})

describe('addProduct with a discount code and an order discount of 5', () => {
  const tenPercent = add('test_12345', { discount_code: 'TEST10' })
  const fiveOff = add('test_12345', { discount_code: 'FIVEOFF' })

  it.each([
    ['a percentage of all units', [add('test_54321', { quantity: 2, discount_code: 'TEST10' })], 14.99],
    ['a percentage of the added units only', [tenPercent], 7],
    ['a percentage of several additions, rounded once', [tenPercent, tenPercent, tenPercent], 10.99],
    ['a percentage that is rounded to minor units', [add('test_12345', { discount_code: 'THIRD' })], 11.65],
    ['a fixed amount once, even if the code is used several times', [fiveOff, fiveOff, fiveOff], 10],
    ['fixed amounts of different codes', [fiveOff, add('test_12345', { discount_code: 'TWOOFF' })], 12],
    ['at most the price of the items', [add('test_54321', { discount_code: 'HUGE' })], 119.8],
  ])('reduces the next order by %s', (_, inputs, discount) => {
    const { account, shop } = subscriber()
    const after = inTurn(account, ...inputs.map((input) => (before: typeof account) => addProduct(before, input, shop)))
    expect(getSubscription(after, customer, shop).order_discount_total).toBe(discount)
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
