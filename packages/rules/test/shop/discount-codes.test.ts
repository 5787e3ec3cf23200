import { addProduct, getDiscount, reactivateSubscription, swapProduct } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, formerSubscriber, codeOf, subscriber, swap, today, visitor } from '../given.ts'

const { account, shop } = subscriber()
const read = (discount_code: string) => getDiscount(undefined, { discount_code }, shop)

it.each(['LASTDAY', 'ONELEFT', ' TEST10', 'Test10\t'])('accepts the code %j', (code) => {
  expect(codeOf(() => read(code))).toBeUndefined()
})

it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP', 'TEST 10', ''])('rejects the code %j', (code) => {
  expect(codeOf(() => read(code))).toBe('discount_not_found')
})

it.each<[string, (code: string) => unknown]>([
  ['addProduct', (code) => addProduct(account, add('test_12345', { discount_code: code }), shop)],
  ['a one-off order', (code) => addProduct(visitor().account, add('test_12345', { discount_code: code }), shop)],
  ['swapProduct', (code) => swapProduct(account, swap('test_12345', 'test_54321', code), shop)],
  ['a swap to the same product', (code) => swapProduct(account, swap('test_12345', 'test_12345', code), shop)],
  [
    'reactivateSubscription',
    (discount_code) =>
      reactivateSubscription(
        formerSubscriber().account,
        { ...customer, subscription_id: 'sub_2002', discount_code },
        shop,
      ),
  ],
])('rejects an unusable code and accepts a usable code in %s', (_, call) => {
  expect(codeOf(() => call('USEDUP'))).toBe('invalid_discount_code')
  expect(codeOf(() => call('ONELEFT'))).toBeUndefined()
})

it('stores a used code in the letter case that the shop defines', () => {
  const after = addProduct(account, add('test_12345', { discount_code: '  fiveOFF ' }), shop)
  expect(after.discount_uses).toMatchObject([{ code: 'FIVEOFF', used_on: today }])
})
