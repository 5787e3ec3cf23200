import { describe, expect, it } from 'vitest'
import { amountOff, estimateTotals, createMoneyFormat, formatRate } from '../page/values/amounts.ts'
import { keepUnits } from '../page/texts.ts'
import { dateLocale, daysBetween, describeDistance, formatDay, formatShortDay } from '../page/values/days.ts'

const tea = (price: number) => ({ id: 'test_12345', title: 'Tea', images: [], price, quantity: 2 })

// The first view of the browser tests shows the totals with a discount, tax and shipping.
it.each([
  ['a discount greater than the items', [tea(19.95)], 100, 2, { items: 3990, discount: 3990, tax: 0, total: 0 }],
  ['dinars with three decimal places', [tea(1.995)], 0.5, 3, { items: 3990, discount: 500, tax: 279, total: 3769 }],
  ['an empty subscription', [], 0, 2, { items: 0, discount: 0, tax: 0, total: 0 }],
])('calculates the totals of %s', (_name, items, order_discount_total, digits, totals) => {
  const subscription = { next_billing_date: '2026-03-24', items, order_discount_total, customer_tax_rate: 0.08 }
  expect(estimateTotals(subscription, digits)).toEqual({ ...totals, shipping: null })
})

const percent = (discount_percentage: number) => ({ discount_type: 'percentage', discount_percentage }) as const
const fixed = (discount_amount: number) => ({ discount_type: 'fixed_amount', discount_amount }) as const

it.each([
  [1995, percent(10), 2, 200],
  [1010, percent(5), 2, 51],
  [1995, fixed(5), 2, 500],
  [1995, fixed(500), 0, 500],
  [1995, fixed(0.5), 3, 500],
  [300, fixed(5), 2, 300],
  [1995, null, 2, 0],
])('calculates the discount on %i for %j with %i decimal places as %i', (amount, discount, digits, off) => {
  expect(amountOff(amount, discount, digits)).toBe(off)
})

it.each([
  ['USD', 1995, '$19.95'],
  ['EUR', 5, '€0.05'],
  ['JPY', 123_400, '¥123,400'],
  ['KWD', 1995, 'KWD\u00A01.995'],
  ['IQD', 1995, 'IQD\u00A01.995'],
  ['CLF', 1995, 'CLF\u00A00.1995'],
])('formats %s with the decimal places from ISO 4217', (currency, minor, formatted) => {
  expect(createMoneyFormat(currency)(minor)).toBe(formatted)
})

it('formats rates and negative amounts', () => {
  expect([formatRate(0.08), formatRate(0.0825)]).toEqual(['8%', '8.25%'])
  expect(createMoneyFormat('USD')(-500)).toBe('−$5.00')
})

it('keeps a number and its unit on one line', () => {
  expect(['Tea, 500 g', '2 kg of tea', 'Box of 12 filters'].map(keepUnits)).toEqual([
    'Tea, 500\u00A0g',
    '2\u00A0kg of tea',
    'Box of 12 filters',
  ])
})

describe('a day', () => {
  it.each([
    ['en-US', 'Tuesday, March 24', 'January 2, 2027'],
    ['en-GB', 'Tuesday, 24 March', '2 January 2027'],
    ['de-DE', 'Tuesday, 24 March', '2 January 2027'],
  ])('follows the region of the browser locale %s', (browser, day, withYear) => {
    const locale = dateLocale(browser)
    expect(formatDay('2026-01-01', '2026-03-24', locale)).toBe(day)
    expect(formatShortDay('2026-12-30', '2027-01-02', locale)).toBe(withYear)
  })

  it('has a relative description only within one year', () => {
    expect([daysBetween('2026-03-10', '2026-03-24'), daysBetween('2024-03-01', '2024-02-28')]).toEqual([14, -2])
    const said = [-366, -365, -1, 0, 1, 14, 365, 366].map(describeDistance)
    expect(said).toEqual([null, '365 days ago', 'yesterday', 'today', 'tomorrow', 'in 14 days', 'in 365 days', null])
  })
})
