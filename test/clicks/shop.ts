import type { ShopData } from '@storeport/rules'

/** API key that every host in these tests accepts. */
export const key = 'a-key-of-the-tests-0001'
/** Current date in the shop, except in clock tests. */
export const today = '2026-03-10'
export const products = ['beans', 'filters', 'cups'] as const

/**
 * Returns a shop whose customers have no subscription. Each add is a separate order, and the order numbers show the
 * sequence of the adds.
 */
export function shopOf(customers: number): ShopData {
  return {
    products: products.map((id) => ({ id, title: id, price: 4.5, images: [] })),
    customers: Array.from({ length: customers }, (_, index) => ({ email: emailOf(index) })),
  }
}

export function emailOf(index: number): string {
  return `customer-${index}@shop.example`
}

/** Returns a shop in which each customer has a subscription that sendNow accepts. */
export function subscribedShopOf(customers: number): ShopData {
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
