import { type CompleteStorePort, type CurrentSubscription, StoreError } from '@storeport/core'

/** The key that every variant accepts. */
export const apiKey = 'bench-key-0123456789abcdef'

/** Time for a store method, in milliseconds; the check before the timing shortens it. */
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

/** Customers with an answer of their own, to see before the timing that a variant checks what the store answers. */
const answers = new Map<string, () => Promise<CurrentSubscription>>([
  ['untidy@example.com', async () => ({ ...subscription, shipping_total_cost: 5.990000000000001, internal_note: 'x' })],
  ['wrong@example.com', async () => ({ ...subscription, shipping_total_cost: -1 })],
  ['hangs@example.com', () => new Promise(() => {})],
  [
    'stranger@example.com',
    async () => {
      throw new StoreError('customer_not_found')
    },
  ],
])

/** The store of every variant: fixed answers, so that what is measured is everything around it. */
export const shop: Pick<CompleteStorePort, 'getSubscription' | 'delaySubscription'> = {
  getSubscription: ({ email }) => answerFor(email),
  delaySubscription: async ({ email }) => {
    await answerFor(email)
  },
}

async function answerFor(email: string): Promise<CurrentSubscription> {
  const answer = answers.get(email)
  return answer === undefined ? subscription : answer()
}
