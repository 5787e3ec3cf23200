import { addProduct, getDiscount, reactivateSubscription, swapProduct } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, formerSubscriber, codeOf, subscriber, swap, today, visitor } from '../given.ts'

/** Calls of the rules that accept a discount code. */
const rules: Readonly<Record<string, (discount_code: string) => unknown>> = {
  'addProduct to a subscription': (discount_code) => {
    const { account, shop } = subscriber()
    return addProduct(account, add('test_12345', { discount_code }), shop)
  },
  'addProduct as a one-off order': (discount_code) => {
    const { account, shop } = visitor()
    return addProduct(account, add('test_12345', { discount_code }), shop)
  },
  swapProduct: (discount_code) => {
    const { account, shop } = subscriber()
    return swapProduct(account, swap('test_12345', 'test_54321', discount_code), shop)
  },
  'swapProduct to the same product': (discount_code) => {
    const { account, shop } = subscriber()
    return swapProduct(account, swap('test_12345', 'test_12345', discount_code), shop)
  },
  reactivateSubscription: (discount_code) => {
    const { account, shop } = formerSubscriber()
    return reactivateSubscription(account, { ...customer, subscription_id: 'sub_2002', discount_code }, shop)
  },
  getDiscount: (discount_code) => getDiscount(undefined, { discount_code }, subscriber().shop),
}

describe.each(Object.entries(rules))('%s', (name, call) => {
  it.each(['LASTDAY', 'ONELEFT', ' TEST10', 'Test10\t'])('accepts %j', (code) => {
    expect(codeOf(() => call(code))).toBeUndefined()
  })

  it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP', 'TEST 10', ''])('rejects %j', (code) => {
    const expected = name === 'getDiscount' ? 'discount_not_found' : 'invalid_discount_code'
    expect(codeOf(() => call(code))).toBe(expected)
  })
})

it('stores a used code in the letter case that the shop defines', () => {
  const { account, shop } = subscriber()
  const after = addProduct(account, add('test_12345', { discount_code: '  fiveOFF ' }), shop)
  expect(after.discount_uses).toMatchObject([{ code: 'FIVEOFF', used_on: today }])
})

it.each([
  ['COMEBACK15', { discount_type: 'percentage', discount_percentage: 15 }],
  ['FIVEOFF', { discount_type: 'fixed_amount', discount_amount: 5 }],
])('getDiscount returns the terms of %s', (discount_code, terms) => {
  expect(getDiscount(undefined, { discount_code }, subscriber().shop)).toStrictEqual(terms)
})
