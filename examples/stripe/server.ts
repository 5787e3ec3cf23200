import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { type StripeAction, stripeStore } from '@storeport/store-stripe'
import { openAccount } from './open-account.ts'

/** Creates an action that stores a flag in the customer's metadata. */
const setFlag: (flag: string) => StripeAction = (flag) => () => ({ metadata: { [flag]: 'yes' } })

if (process.env['STOREPORT_API_KEY'] === undefined)
  console.log('Every request is rejected with 401. Set STOREPORT_API_KEY to a key of at least 16 characters.')
const stripe = await openAccount(process.env['STRIPE_SECRET_KEY'], process.env['STRIPE_URL'])
const store = stripeStore(stripe, {
  shippingProduct: 'shipping',
  // The sample subscriptions start with a trial until their first billing date.
  freeTrials: 'change',
  actions: {
    claim_discount_10off: setFlag('claimed'),
    join_waitlist_product_123: setFlag('waitlist'),
    change_to_quarterly: setFlag('quarterly'),
    register_webinar_march: setFlag('webinar'),
  },
})
await store.ready()

const integration = createIntegration({
  store,
  apiKeys: [process.env['STOREPORT_API_KEY']],
  // Several processes need a shared ledger.
  retries: { processes: 1 },
})
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
