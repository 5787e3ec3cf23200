import { addDays, minorUnitDigits } from '@storeport/core'
import type { CompleteShopData, DiscountData, ProductData } from './shop-data.ts'

/**
 * Creates the demo data of the reference host, the examples and the tests, with dates relative to `today`.
 *
 * For a currency with fewer than two decimals, 19.95 becomes 1,995. Throws TypeError for an invalid currency.
 */
export function seed(today: string, currency = 'USD'): CompleteShopData {
  const money = moneyOf(minorUnitDigits(currency))
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
            id: 'sub_1001',
            interval: everyMonth,
            next_billing_date: addDays(today, 14),
            items: [
              { id: 'item_1', product_id: 'test_12345', quantity: 2 },
              { id: 'item_2', product_id: 'test_67890', quantity: 1 },
            ],
            shipping_total_cost: money(5.99),
            order_discount_total: money(5),
            customer_tax_rate: 0.08,
          },
          {
            id: 'sub_1002',
            interval: everySixWeeks,
            next_billing_date: addDays(today, 30),
            items: [{ id: 'item_3', product_id: 'test_54321', quantity: 1 }],
          },
        ],
      },
      {
        email: 'cancelled@example.com',
        subscriptions: [
          {
            id: 'sub_2003',
            interval: everyMonth,
            cancelled_on: addDays(today, -2),
            items: [{ id: 'item_4', product_id: 'test_12345', quantity: 1 }],
          },
          {
            id: 'sub_2002',
            interval: everySixWeeks,
            cancelled_on: addDays(today, -20),
            items: [{ id: 'item_5', product_id: 'test_67890', quantity: 2 }],
          },
          {
            id: 'sub_2001',
            interval: everyMonth,
            // This subscription was cancelled too long ago to be reactivated.
            cancelled_on: addDays(today, -400),
            items: [{ id: 'item_6', product_id: 'test_54321', quantity: 1 }],
          },
        ],
      },
      {
        email: 'another@example.com',
        subscriptions: [
          {
            id: 'sub_3001',
            interval: everyMonth,
            next_billing_date: addDays(today, 7),
            items: [{ id: 'item_7', product_id: 'test_54321', quantity: 3 }],
          },
          {
            id: 'sub_3002',
            interval: everyMonth,
            cancelled_on: addDays(today, -5),
            items: [{ id: 'item_8', product_id: 'test_12345', quantity: 1 }],
          },
        ],
      },
    ],
  }
}

const everyMonth = { unit: 'month', count: 1 } as const
const everySixWeeks = { unit: 'week', count: 6 } as const

type Money = (amount: number) => number

function moneyOf(digits: number): Money {
  return digits < 2 ? (amount) => Math.round(amount * 100) : (amount) => amount
}

/** Creates the products. The reference host serves their images. */
function products(money: Money): readonly ProductData[] {
  return [
    {
      id: 'test_12345',
      title: 'House Espresso, 500 g',
      description: 'Dark chocolate, hazelnut and a long finish. Whole beans, roasted to order.',
      price: money(19.95),
      images: ['/images/test_12345.svg'],
    },
    {
      id: 'test_67890',
      title: 'Single Origin Ethiopia, 500 g',
      description: 'Jasmine, lemon and black tea. A washed coffee for filter, whole beans.',
      price: money(29.95),
      compare_at_price: money(39.95),
      images: ['/images/test_67890.svg'],
    },
    {
      id: 'test_54321',
      title: 'Hand Grinder',
      description: 'Steel burrs, from espresso to French press. Fits into a drawer.',
      price: money(49.95),
      images: ['/images/test_54321.svg'],
    },
    {
      id: 'test_00000',
      title: 'Stoneware Mug',
      description: 'Holds 300 ml. Glazed by hand, so each mug is unique.',
      price: money(9.95),
      images: ['/images/test_00000.svg'],
      available: false,
    },
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
