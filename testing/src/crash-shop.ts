import type { CustomerData } from '@storeport/rules'
import { type Click, click, oneOf } from './clicks.ts'

/** Returns the four customers of a round, each with an active subscription. */
export function customersOf(round: number): readonly CustomerData[] {
  return Array.from({ length: 4 }, (_, index) => ({
    email: `customer${round}-${index}@example.com`,
    subscriptions: [
      {
        id: `sub_${round}_${index}`,
        next_billing_date: '2026-04-01',
        items: [{ id: `item_${round}_${index}`, product_id: 'test_12345' }],
      },
    ],
  }))
}

/**
 * Returns the clicks of all customers. Each customer adds one unit `adds` times, and sends a `sendNow` click halfway.
 */
export function clicksOf(customers: readonly CustomerData[], adds: number): readonly Click[] {
  return Array.from({ length: adds + 1 }, (_, turn) =>
    customers.map(({ email }) =>
      turn === adds / 2 ? click('sendNow', { email }) : click('addProduct', { email, ...oneOf('test_54321') }),
    ),
  ).flat()
}
