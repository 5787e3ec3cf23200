import { addProduct, getSubscription, undoAddProduct } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, given, inTurn, refusal, seeded, today } from '../given.ts'

const subscriber = () => seeded('subscription@example.com')
const visitor = () => seeded('test@example.com')

describe('addProduct with an active subscription', () => {
  it('makes a recurring item of a product that is not there yet, at its price, at the end', () => {
    const { account, shop } = subscriber()
    const after = addProduct(account, add('test_54321', { quantity: 2 }), shop)
    expect(after.subscriptions[0]?.items).toEqual([
      ...(account.subscriptions[0]?.items ?? []),
      { id: 'item_new1', product_id: 'test_54321', quantity: 2, price_minor: 4995, one_time: false },
    ])
  })

  it('lets the quantity of a recurring item grow, at the price it has', () => {
    const { account, shop } = given({
      subscriptions: [
        {
          id: 'sub',
          next_billing_date: today,
          items: [{ id: 'mine', product_id: 'test_12345', quantity: 3, price: 15 }],
        },
      ],
    })
    const after = addProduct(account, add('test_12345', { quantity: 2 }), shop)
    expect(after.subscriptions[0]?.items).toEqual([
      { id: 'mine', product_id: 'test_12345', quantity: 5, price_minor: 1500, one_time: false },
    ])
  })

  it('with one_time makes a line of its own next to the recurring item, which a second one joins', () => {
    const { account, shop } = subscriber()
    const once = addProduct(account, add('test_12345', { one_time: true }), shop)
    const twice = addProduct(once, add('test_12345', { one_time: true, quantity: 4 }), shop)
    expect(
      twice.subscriptions[0]?.items.map(({ product_id, quantity, one_time }) => [product_id, quantity, one_time]),
    ).toEqual([
      ['test_12345', 2, false],
      ['test_67890', 1, false],
      ['test_12345', 5, true],
    ])
  })

  it('goes to the subscription that is billed next', () => {
    const { account, shop } = subscriber()
    const after = addProduct(account, add('test_67890'), shop)
    expect(after.subscriptions[0]?.id).toBe('sub_1001')
    expect(after.subscriptions[0]).not.toBe(account.subscriptions[0])
  })

  it('remembers an open add', () => {
    const { account, shop } = subscriber()
    const after = addProduct(account, add('test_67890', { quantity: 3 }), shop)
    expect(after.adds).toEqual([
      {
        id: 'add_new1',
        product_id: 'test_67890',
        quantity: 3,
        subscription_id: 'sub_1001',
        item_id: 'item_2',
        order_id: null,
        discount_use_id: null,
      },
    ])
  })

  it('keeps every part that it does not change, so that a store sees what to save', () => {
    const { account, shop } = subscriber()
    const after = addProduct(account, add('test_67890'), shop)
    expect(after.subscriptions[0]?.items[0]).toBe(account.subscriptions[0]?.items[0])
    expect(after.subscriptions[1]).toBe(account.subscriptions[1])
    expect(after.orders).toBe(account.orders)
    expect(after.discount_uses).toBe(account.discount_uses)
    expect(after.recommended).toBe(account.recommended)
  })
})

describe('addProduct without an active subscription', () => {
  it('makes a one-off order at once, open until fulfilment takes it', () => {
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
  })

  it('makes a further order of every add', () => {
    const { account, shop } = visitor()
    const after = addProduct(addProduct(account, add('test_67890'), shop), add('test_67890'), shop)
    expect(after.orders.map(({ total_minor }) => total_minor)).toEqual([2995, 2995])
  })

  it('does so too when all subscriptions are cancelled', () => {
    const { account, shop } = seeded('cancelled@example.com')
    const after = addProduct(account, add('test_67890'), shop)
    expect(after.orders).toHaveLength(1)
    expect(after.subscriptions).toBe(account.subscriptions)
  })

  it('refuses one_time with subscription_not_found', () => {
    const { account, shop } = visitor()
    expect(refusal(() => addProduct(account, add('test_67890', { one_time: true }), shop))).toBe(
      'subscription_not_found',
    )
  })

  it('takes a percentage of what was added off that order, and counts the code as used', () => {
    const { account, shop } = visitor()
    const after = addProduct(account, add('test_67890', { quantity: 2, discount_code: 'test20' }), shop)
    expect(after.orders).toMatchObject([{ items_minor: 5990, discount_minor: 1198, total_minor: 4792 }])
    expect(after.discount_uses).toMatchObject([{ code: 'TEST20', order_id: 'order_new1', subscription_id: null }])
  })

  it('takes a fixed amount off, but never more than the lines', () => {
    const { account, shop } = visitor()
    const five = addProduct(account, add('test_67890', { discount_code: 'FIVEOFF' }), shop)
    expect(five.orders).toMatchObject([{ discount_minor: 500, total_minor: 2495 }])
    const huge = addProduct(account, add('test_67890', { discount_code: 'HUGE' }), shop)
    expect(huge.orders).toMatchObject([{ discount_minor: 2995, total_minor: 0 }])
  })
})

describe('addProduct with a discount code', () => {
  const discountAfter = (...inputs: ReturnType<typeof add>[]) => {
    const { account, shop } = subscriber()
    const after = inTurn(account, ...inputs.map((input) => (before: typeof account) => addProduct(before, input, shop)))
    return getSubscription(after, customer, shop)
  }

  it('takes a percentage of what was added off the next order, in addition to the standing discount', () => {
    expect(discountAfter(add('test_54321', { quantity: 2, discount_code: 'TEST10' })).order_discount_total).toBe(14.99)
  })

  it('takes it of what was added, not of the line that results', () => {
    expect(discountAfter(add('test_12345', { discount_code: 'TEST10' })).order_discount_total).toBe(7)
  })

  it('adds up several percentages', () => {
    const tenPercent = add('test_12345', { discount_code: 'TEST10' })
    expect(discountAfter(tenPercent, tenPercent, tenPercent).order_discount_total).toBe(11)
  })

  it('rounds a percentage to minor units', () => {
    expect(discountAfter(add('test_12345', { discount_code: 'THIRD' })).order_discount_total).toBe(11.65)
  })

  it('takes a fixed amount off once, however often the code is used', () => {
    const fiveOff = add('test_12345', { discount_code: 'FIVEOFF' })
    expect(discountAfter(fiveOff, fiveOff, fiveOff).order_discount_total).toBe(10)
  })

  it('takes several fixed amounts of different codes off', () => {
    const discount = discountAfter(
      add('test_12345', { discount_code: 'FIVEOFF' }),
      add('test_12345', { discount_code: 'TWOOFF' }),
    )
    expect(discount.order_discount_total).toBe(12)
  })

  it('never takes more off than the items cost', () => {
    const { items, order_discount_total } = discountAfter(add('test_54321', { discount_code: 'HUGE' }))
    const sum = items.reduce((cents, { price, quantity }) => cents + Math.round(price * 100) * quantity, 0)
    expect(order_discount_total).toBe(sum / 100)
  })

  it('leaves the price of the item alone', () => {
    expect(discountAfter(add('test_54321', { discount_code: 'TEST20' })).items.at(-1)?.price).toBe(49.95)
  })

  it('matches codes whatever their letter case, trimmed, and keeps the code as the shop writes it', () => {
    const { account, shop } = subscriber()
    const after = addProduct(account, add('test_12345', { discount_code: '  fiveOFF ' }), shop)
    expect(after.discount_uses).toMatchObject([{ code: 'FIVEOFF', used_on: today }])
  })

  it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP', ''])('refuses %j with invalid_discount_code', (discount_code) => {
    for (const { account, shop } of [subscriber(), visitor()]) {
      expect(refusal(() => addProduct(account, add('test_12345', { discount_code }), shop))).toBe(
        'invalid_discount_code',
      )
    }
  })

  it.each(['LASTDAY', 'ONELEFT'])('accepts %s', (discount_code) => {
    const { account, shop } = subscriber()
    expect(addProduct(account, add('test_12345', { discount_code }), shop).discount_uses).toHaveLength(1)
  })
})

describe('addProduct refuses', () => {
  it('an unknown product', () => {
    const { account, shop } = subscriber()
    expect(refusal(() => addProduct(account, add('nothing'), shop))).toBe('product_not_found')
  })

  it('a product that is sold out', () => {
    const { account, shop } = subscriber()
    expect(refusal(() => addProduct(account, add('test_00000'), shop))).toBe('product_unavailable')
  })

  it('a line that grows too long, not a line at the limit', () => {
    const { account, shop } = subscriber()
    expect(refusal(() => addProduct(account, add('test_12345', { quantity: 999 }), shop))).toBe('invalid_request')
    expect(() => addProduct(account, add('test_12345', { quantity: 999 }), shop)).toThrow(/^quantity: /)
    expect(addProduct(account, add('test_12345', { quantity: 998 }), shop).subscriptions[0]?.items[0]?.quantity).toBe(
      1000,
    )
    expect(refusal(() => addProduct(visitor().account, add('test_12345', { quantity: 1001 }), shop))).toBe(
      'invalid_request',
    )
  })

  it('in this order: product, availability, subscription, code, quantity', () => {
    const { account, shop } = visitor()
    const wrong = { quantity: 9999, discount_code: 'NOSUCHCODE', one_time: true }
    expect(refusal(() => addProduct(account, add('nothing', wrong), shop))).toBe('product_not_found')
    expect(refusal(() => addProduct(account, add('test_00000', wrong), shop))).toBe('product_unavailable')
    expect(refusal(() => addProduct(account, add('test_12345', wrong), shop))).toBe('subscription_not_found')
    expect(refusal(() => addProduct(account, add('test_12345', { ...wrong, one_time: false }), shop))).toBe(
      'invalid_discount_code',
    )
  })
})

it('a code can be used again after the add was taken back', () => {
  const { account, shop } = subscriber()
  const added = addProduct(account, add('test_12345', { discount_code: 'ONELEFT' }), shop)
  expect(undoAddProduct(added, { ...customer, product_id: 'test_12345' }, shop).discount_uses).toEqual([])
})
