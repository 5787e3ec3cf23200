import type { ShopData } from '@storeport/rules'

export const key = 'a-key-of-the-tests-0001'
export const today = '2026-03-10'

/** Shop data with one subscription per customer, and enough customers for every test to use different customers. */
export const data: ShopData = {
  products: [
    { id: 'beans', title: 'Beans', price: 19.95, images: [] },
    { id: 'filters', title: 'Filters', price: 4.5, images: [] },
  ],
  actions: ['join_waitlist'],
  customers: Array.from({ length: 40 }, (_, index) => ({
    email: emailOf(index),
    subscriptions: [
      { id: `sub_${index}`, next_billing_date: '2026-04-01', items: [{ id: `item_${index}`, product_id: 'filters' }] },
    ],
  })),
}

export function emailOf(index: number): string {
  return `customer-${index}@shop.example`
}
