import { getDiscount } from '@storeport/rules'
import { expect, it } from 'vitest'
import { codeOf, subscriber } from '../given.ts'

it.each([
  ['LASTDAY', undefined],
  ['ONELEFT', undefined],
  ['USEDUP', 'discount_not_found'],
  ['TEST 10', 'discount_not_found'],
  ['', 'discount_not_found'],
] as const)('accepts a code until its last day and its last use: %j', (discount_code, code) => {
  expect(codeOf(() => getDiscount(undefined, { discount_code }, subscriber().shop))).toBe(code)
})
