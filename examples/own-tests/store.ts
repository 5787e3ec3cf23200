import { addDays, StoreError, type StorePort } from '@storeport/core'

const beans = { id: 'beans', title: 'Coffee beans, 1 kg', price: 19.95, images: [], quantity: 1 }
const filters = { id: 'filters', title: 'Paper filters', price: 4.5, images: [], quantity: 2 }

/** Creates the store. `today` returns the date of the shop, `YYYY-MM-DD`, so that a test can set the date. */
export function createStore(today: () => string): StorePort {
  // Replace the data with your database.
  const subscriptions = [
    { email: 'customer@example.com', next_billing_date: '2026-03-24', items: [beans] },
    { email: 'customer@example.com', next_billing_date: '2026-04-02', items: [filters] },
    { email: 'another@example.com', next_billing_date: '2026-03-31', items: [beans] },
  ]
  const lastSentOn = new Map<string, string>()

  function findCurrent(email: string) {
    const [current] = subscriptions
      .filter((subscription) => subscription.email === email.toLowerCase())
      .toSorted((left, right) => left.next_billing_date.localeCompare(right.next_billing_date))
    if (current === undefined) throw new StoreError('customer_not_found')
    return current
  }

  return {
    async getSubscription({ email }) {
      const { next_billing_date, items } = findCurrent(email)
      return { next_billing_date, items }
    },

    async delaySubscription({ email, new_date }) {
      const current = findCurrent(email)
      if (new_date < current.next_billing_date) throw new StoreError('invalid_date')
      current.next_billing_date = new_date
    },

    async sendNow({ email }) {
      const current = findCurrent(email)
      if (lastSentOn.get(current.email) === today()) throw new StoreError('order_already_processing')
      lastSentOn.set(current.email, today())
      current.next_billing_date = addDays(today(), 14)
    },
  }
}
