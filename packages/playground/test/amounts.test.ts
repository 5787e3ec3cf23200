import { describe, expect, it } from 'vitest'
import { amountOff, estimateTotals, partOf, sumOf } from '../page/amounts.ts'
import { sayMoneyIn, sayRate } from '../page/say-money.ts'

const item = { id: 'test_12345', title: 'Tea', images: [], price: 19.95, quantity: 2 }

describe('totals', () => {
  it('are items less discount, with tax on that and shipping', () => {
    const subscription = {
      next_billing_date: '2026-03-24',
      items: [item, { ...item, id: 'test_67890', price: 29.95, quantity: 1 }],
      shipping_total_cost: 5.99,
      order_discount_total: 5,
      customer_tax_rate: 0.08,
    }
    const totals = estimateTotals(subscription, 2)
    expect(totals).toEqual({ items: 6985, discount: 500, shipping: 599, tax: 519, total: 7603 })
  })

  it("count in the minor unit of the shop's currency", () => {
    const terms = { next_billing_date: '2026-03-24', customer_tax_rate: 0.08 }
    const yen = { ...terms, items: [{ ...item, price: 1995 }], order_discount_total: 500, shipping_total_cost: 599 }
    expect(estimateTotals(yen, 0)).toEqual({ items: 3990, discount: 500, shipping: 599, tax: 279, total: 4368 })
    const dinars = { ...terms, items: [{ ...item, price: 1.995 }], order_discount_total: 0.5 }
    expect(estimateTotals(dinars, 3)).toEqual({ items: 3990, discount: 500, shipping: null, tax: 279, total: 3769 })
  })

  it('leave out what the shop does not tell', () => {
    const subscription = { next_billing_date: '2026-03-24', items: [item] }
    expect(estimateTotals(subscription, 2)).toEqual({ items: 3990, discount: 0, shipping: null, tax: 0, total: 3990 })
  })

  it('are never below zero', () => {
    const subscription = { next_billing_date: '2026-03-24', items: [item], order_discount_total: 100 }
    expect(estimateTotals(subscription, 2)).toMatchObject({ discount: 3990, total: 0 })
  })

  it('of nothing are nothing', () => {
    expect(estimateTotals({ next_billing_date: '2026-03-24', items: [] }, 2).total).toBe(0)
    expect(sumOf([], 2)).toBe(0)
  })
})

describe('what a discount takes off', () => {
  it('is a percentage, rounded half upwards, or a fixed amount, never more than there is', () => {
    expect(amountOff(1995, { discount_type: 'percentage', discount_percentage: 10 }, 2)).toBe(200)
    expect(amountOff(1010, { discount_type: 'percentage', discount_percentage: 5 }, 2)).toBe(51)
    expect(amountOff(1995, { discount_type: 'fixed_amount', discount_amount: 5 }, 2)).toBe(500)
    expect(amountOff(1995, { discount_type: 'fixed_amount', discount_amount: 500 }, 0)).toBe(500)
    expect(amountOff(1995, { discount_type: 'fixed_amount', discount_amount: 0.5 }, 3)).toBe(500)
    expect(amountOff(300, { discount_type: 'fixed_amount', discount_amount: 5 }, 2)).toBe(300)
    expect(amountOff(1995, null, 2)).toBe(0)
  })

  it('is counted in whole numbers', () => {
    expect(partOf(1010, 0.05)).toBe(51)
    expect(partOf(4995, 0.08)).toBe(400)
    expect(partOf(1, 0.5)).toBe(1)
  })
})

describe('words for amounts', () => {
  it('name the currency, with the decimals of ISO 4217', () => {
    expect(sayMoneyIn('USD')(1995)).toBe('$19.95')
    expect(sayMoneyIn('EUR')(5)).toBe('€0.05')
    expect(sayMoneyIn('JPY')(123_400)).toBe('¥123,400')
    expect(sayMoneyIn('KWD')(1995)).toBe('KWD\u00A01.995')
    expect(sayMoneyIn('IQD')(1995)).toBe('IQD\u00A01.995')
    expect(sayMoneyIn('CLF')(1995)).toBe('CLF\u00A00.1995')
    expect(sayRate(0.08)).toBe('8%')
    expect(sayRate(0.0825)).toBe('8.25%')
  })
})
