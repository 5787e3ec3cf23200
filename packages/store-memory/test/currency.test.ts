import { createMemoryStore, seed } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { contextOf } from '@storeport/testing/clicks'

const today = '2026-03-10'
const otherCustomer = { email: 'another@example.com' }
const subscriber = { email: 'subscription@example.com' }

describe('currency', () => {
  it.each([
    ['USD', 19.95, 5.99, 4.49],
    ['JPY', 1995, 599, 449],
    ['KWD', 19.95, 5.99, 2.246],
  ])('uses the number of decimals of %s for all amounts', async (currency, price, shipping, discount) => {
    const store = createMemoryStore({ today, currency })
    expect(store.currency).toBe(currency)
    const [product] = (await store.listProducts({}, contextOf())).products
    expect(product?.price).toBe(price)
    const fixed = await store.getDiscount({ discount_code: 'FIVEOFF' }, contextOf())
    expect(fixed).toEqual({ discount_type: 'fixed_amount', discount_amount: currency === 'JPY' ? 500 : 5 })
    const data = { ...seed(today, currency), discounts: [{ code: 'PART', ...percentage(currency) }] }
    const other = createMemoryStore({ today, currency, data })
    await other.addProduct(
      { ...otherCustomer, product_id: 'test_67890', quantity: 1, one_time: false, discount_code: 'PART' },
      contextOf(),
    )
    expect((await other.getSubscription(otherCustomer, contextOf()))?.order_discount_total).toBe(discount)
    expect((await other.getSubscription(subscriber, contextOf()))?.shipping_total_cost).toBe(shipping)
  })

  const percentage = (currency: string) => ({
    discount_type: 'percentage' as const,
    // Before rounding, the discounts on USD 29.95, JPY 2995 and KWD 29.95 are 4.4925, 449.25 and 2.24625.
    discount_percentage: currency === 'KWD' ? 7.5 : 15,
  })

  it('defaults to USD and rejects invalid codes', () => {
    expect(createMemoryStore().currency).toBe('USD')
    for (const currency of ['', 'usd', 'XYZ']) expect(() => createMemoryStore({ currency })).toThrow(TypeError)
  })
})
