import { createIntegration, type CurrentSubscription, StoreError, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'

const beans = { id: 'beans', title: 'Coffee beans, 1 kg', price: 19.95, images: [], quantity: 1 }
// Replace this map with your database.
const subscriptions = new Map<string, CurrentSubscription>([
  ['customer@example.com', { next_billing_date: '2030-01-15', items: [beans] }],
  ['another@example.com', { next_billing_date: '2030-01-20', items: [beans] }],
])

function findSubscription(email: string): CurrentSubscription {
  const subscription = subscriptions.get(email.toLowerCase())
  if (subscription === undefined) throw new StoreError('customer_not_found')
  return subscription
}

const store: StorePort = {
  async getSubscription({ email }) {
    return findSubscription(email)
  },
  async delaySubscription({ email, new_date }) {
    const subscription = findSubscription(email)
    if (new_date < subscription.next_billing_date) throw new StoreError('invalid_date')
    subscription.next_billing_date = new_date
    console.log(`delayed to ${new_date}`)
  },
}

const integration = createIntegration({ store, apiKeys: [process.env['STOREPORT_API_KEY']] })
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
