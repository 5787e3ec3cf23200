import { getDiscount } from '@storeport/rules'
import { expect, it } from 'vitest'
import { refusal, seeded } from '../given.ts'

const { shop } = seeded('test@example.com')
const discount = (discount_code: string) => getDiscount(undefined, { discount_code }, shop)

it('tells a percentage, where 15 means 15 %', () => {
  expect(discount('COMEBACK15')).toStrictEqual({ discount_type: 'percentage', discount_percentage: 15 })
})

it('tells a fixed amount in major units', () => {
  expect(discount('FIVEOFF')).toStrictEqual({ discount_type: 'fixed_amount', discount_amount: 5 })
})

it.each(['test10', ' TEST10', 'Test10\t'])('matches %j', (code) => {
  expect(discount(code)).toStrictEqual({ discount_type: 'percentage', discount_percentage: 10 })
})

it.each(['LASTDAY', 'ONELEFT'])('still knows %s', (code) => {
  expect(discount(code)).toMatchObject({ discount_type: 'percentage' })
})

it.each(['NOSUCHCODE', 'EXPIRED5', 'USEDUP', 'TEST 10'])('does not know %s', (code) => {
  expect(refusal(() => discount(code))).toBe('discount_not_found')
})
