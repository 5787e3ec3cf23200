import { type CurrentSubscription, StoreError, type StorePort } from '@storeport/core'

/** The API key that every variant accepts. */
export const apiKey = 'bench-key-0123456789abcdef'

/** Start date of the benchmarks that use a database. */
export const firstDay = '2026-03-10'

/** Timeout of a store method, in milliseconds. A shorter timeout is set to compare the responses of the variants. */
export const timeoutMs = Number(process.env['BENCH_STORE_TIMEOUT_MS'] ?? 10_000)

const subscription: CurrentSubscription = {
  next_billing_date: '2030-06-15',
  items: [
    {
      id: 'item_1',
      title: 'House Espresso, 500 g',
      price: 19.95,
      images: ['https://shop.example/images/test_12345.svg'],
      quantity: 2,
      description: 'A product to try things with.',
    },
    {
      id: 'item_2',
      title: 'Single Origin Ethiopia, 500 g',
      price: 29.95,
      images: ['https://shop.example/images/test_67890.svg'],
      quantity: 1,
    },
  ],
  shipping_total_cost: 5.99,
  order_discount_total: 5,
  customer_tax_rate: 0.08,
}

/** Customers with special results, which show whether a variant validates the store's output. */
const special = new Map<string, () => Promise<CurrentSubscription>>([
  ['untidy@example.com', async () => ({ ...subscription, shipping_total_cost: 5.990000000000001, internal_note: 'x' })],
  ['invalid@example.com', async () => ({ ...subscription, shipping_total_cost: -1 })],
  ['hangs@example.com', () => new Promise(() => {})],
  ['stranger@example.com', () => Promise.reject(new StoreError('customer_not_found'))],
])

/** Store for all HTTP variants. Its methods return constants, so that only the code around the store is measured. */
export const shop = {
  getSubscription: ({ email }, _context) => load(email),
  delaySubscription: async ({ email }, _context) => {
    await load(email)
  },
} satisfies StorePort

async function load(email: string): Promise<CurrentSubscription> {
  return special.get(email)?.() ?? subscription
}
