import type { ShopData } from '@storeport/rules'

/** The key that every host of these tests accepts. */
export const key = 'a-key-of-the-tests-0001'
/** The date of the shop where the clock is not what a test is about. */
export const today = '2026-03-10'
/** What a customer may add. */
export const products = ['beans', 'filters', 'cups'] as const

/**
 * A shop with a number of customers who have no subscription: each add of theirs is an order of its own, and the numbers
 * of the orders say in which order the adds were made.
 */
export function shopOf(customers: number): ShopData {
  return {
    products: products.map((id) => ({ id, title: id, price: 4.5, images: [] })),
    customers: Array.from({ length: customers }, (_, index) => ({ email: emailOf(index) })),
  }
}

/** The email of a customer by number. */
export function emailOf(index: number): string {
  return `customer-${index}@shop.example`
}

/** The same shop, its customers with a subscription whose next order can be sent now. */
export function boxesOf(customers: number): ShopData {
  const shop = shopOf(customers)
  return {
    ...shop,
    customers: (shop.customers ?? []).map((customer, index) => ({
      ...customer,
      subscriptions: [
        {
          id: `sub_${index}`,
          next_billing_date: '2026-04-20',
          items: [{ id: `item_${index}`, product_id: 'filters' }],
        },
      ],
    })),
  }
}
