import { describe, expect, it } from 'vitest'
import { amountOff, estimateTotals, partOf, sumOf } from '../page/amounts.ts'
import { sayMoneyIn, sayRate } from '../page/say-money.ts'

const item = { id: 'item_1', title: 'Tea', images: [], price: 19.95, quantity: 2 }

describe('totals', () => {
  it('are items less discount, with tax on that and shipping', () => {
    const subscription = {
      next_billing_date: '2026-03-24',
      items: [item, { ...item, id: 'item_2', price: 29.95, quantity: 1 }],
      shipping_total_cost: 5.99,
      order_discount_total: 5,
      customer_tax_rate: 0.08,
    }
    expect(estimateTotals(subscription)).toEqual({ items: 6985, discount: 500, shipping: 599, tax: 519, total: 7603 })
  })

  it('leave out what the shop does not tell', () => {
    const subscription = { next_billing_date: '2026-03-24', items: [item] }
    expect(estimateTotals(subscription)).toEqual({ items: 3990, discount: 0, shipping: null, tax: 0, total: 3990 })
  })

  it('are never below zero', () => {
    const subscription = { next_billing_date: '2026-03-24', items: [item], order_discount_total: 100 }
    expect(estimateTotals(subscription)).toMatchObject({ discount: 3990, total: 0 })
  })

  it('of nothing are nothing', () => {
    expect(estimateTotals({ next_billing_date: '2026-03-24', items: [] }).total).toBe(0)
    expect(sumOf([])).toBe(0)
  })
})

describe('what a discount takes off', () => {
  it('is a percentage, rounded half upwards, or a fixed amount, never more than there is', () => {
    expect(amountOff(1995, { discount_type: 'percentage', discount_percentage: 10 })).toBe(200)
    expect(amountOff(1010, { discount_type: 'percentage', discount_percentage: 5 })).toBe(51)
    expect(amountOff(1995, { discount_type: 'fixed_amount', discount_amount: 5 })).toBe(500)
    expect(amountOff(300, { discount_type: 'fixed_amount', discount_amount: 5 })).toBe(300)
    expect(amountOff(1995, null)).toBe(0)
  })

  it('is counted in whole numbers', () => {
    expect(partOf(1010, 0.05)).toBe(51)
    expect(partOf(4995, 0.08)).toBe(400)
    expect(partOf(1, 0.5)).toBe(1)
  })
})

describe('words for amounts', () => {
  it('name the currency', () => {
    expect(sayMoneyIn('USD')(1995)).toBe('$19.95')
    expect(sayMoneyIn('EUR')(5)).toBe('€0.05')
    expect(sayMoneyIn('JPY')(123_400)).toBe('¥1,234.00')
    expect(sayMoneyIn('not a currency')(1995)).toBe('19.95')
    expect(sayRate(0.08)).toBe('8%')
    expect(sayRate(0.0825)).toBe('8.25%')
  })
})
