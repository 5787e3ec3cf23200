import { addDays, minorUnitDigits } from '@storeport/core'
import type { Interval } from '../account/customer-account.ts'
import type { CompleteShopData, DiscountData, ItemData, ProductData } from './shop-data.ts'

/**
 * Creates the demo data of the reference host, the examples and the tests, with dates relative to `today`.
 *
 * For a currency with fewer than two decimals, 19.95 becomes 1,995. Throws TypeError for an invalid currency.
 */
export function seed(today: string, currency = 'USD'): CompleteShopData {
  const money = moneyOf(minorUnitDigits(currency))
  const active = (id: string, interval: Interval, inDays: number, ...items: ItemData[]) => ({
    ...{ id, interval, items },
    next_billing_date: addDays(today, inDays),
  })
  const cancelled = (id: string, interval: Interval, daysAgo: number, ...items: ItemData[]) => ({
    ...{ id, interval, items },
    cancelled_on: addDays(today, -daysAgo),
  })
  return {
    products: products(money),
    discounts: discounts(today, money),
    actions: ['claim_discount_10off', 'join_waitlist_product_123', 'change_to_quarterly', 'register_webinar_march'],
    customers: [
      { email: 'test@example.com' },
      {
        email: 'subscription@example.com',
        recommended: ['test_54321', 'test_12345', 'test_67890'],
        subscriptions: [
          {
            ...active('sub_1001', everyMonth, 14, item('item_1', 'test_12345', 2), item('item_2', 'test_67890', 1)),
            shipping_total_cost: money(5.99),
            order_discount_total: money(5),
            customer_tax_rate: 0.08,
          },
          active('sub_1002', everySixWeeks, 30, item('item_3', 'test_54321', 1)),
        ],
      },
      {
        email: 'cancelled@example.com',
        subscriptions: [
          cancelled('sub_2003', everyMonth, 2, item('item_4', 'test_12345', 1)),
          cancelled('sub_2002', everySixWeeks, 20, item('item_5', 'test_67890', 2)),
          // This subscription was cancelled too long ago to be reactivated.
          cancelled('sub_2001', everyMonth, 400, item('item_6', 'test_54321', 1)),
        ],
      },
      {
        email: 'another@example.com',
        subscriptions: [
          active('sub_3001', everyMonth, 7, item('item_7', 'test_54321', 3)),
          cancelled('sub_3002', everyMonth, 5, item('item_8', 'test_12345', 1)),
        ],
      },
    ],
  }
}

const everyMonth = { unit: 'month', count: 1 } as const
const everySixWeeks = { unit: 'week', count: 6 } as const

function item(id: string, product_id: string, quantity: number): ItemData {
  return { id, product_id, quantity }
}

type Money = (amount: number) => number

function moneyOf(digits: number): Money {
  return digits < 2 ? (amount) => Math.round(amount * 100) : (amount) => amount
}

/** Creates the products. The reference host serves their images. */
function products(money: Money): readonly ProductData[] {
  const product = (id: string, title: string, description: string, price: number) => ({
    ...{ id, title, description },
    price: money(price),
    images: [`/images/${id}.svg`],
  })
  const espresso = 'Dark chocolate, hazelnut and a long finish. Whole beans, roasted to order.'
  const ethiopia = 'Jasmine, lemon and black tea. A washed coffee for filter, whole beans.'
  const grinder = 'Steel burrs, from espresso to French press. Fits into a drawer.'
  const mug = 'Holds 300 ml. Glazed by hand, so each mug is unique.'
  return [
    product('test_12345', 'House Espresso, 500 g', espresso, 19.95),
    { ...product('test_67890', 'Single Origin Ethiopia, 500 g', ethiopia, 29.95), compare_at_price: money(39.95) },
    product('test_54321', 'Hand Grinder', grinder, 49.95),
    { ...product('test_00000', 'Stoneware Mug', mug, 9.95), available: false },
  ]
}

function discounts(today: string, money: Money): readonly DiscountData[] {
  return [
    { code: 'TEST10', discount_type: 'percentage', discount_percentage: 10 },
    { code: 'TEST20', discount_type: 'percentage', discount_percentage: 20 },
    { code: 'COMEBACK15', discount_type: 'percentage', discount_percentage: 15 },
    { code: 'FIVEOFF', discount_type: 'fixed_amount', discount_amount: money(5) },
    { code: 'EXPIRED5', discount_type: 'percentage', discount_percentage: 5, expires_on: addDays(today, -1) },
  ]
}
