import { SettingsError } from '@storeport/node'
import { stripeApiVersion, stripeStore, type StripeStore } from '@storeport/store-stripe'
import { Stripe } from 'stripe'

/** Connects to the Stripe account of the shop. Rejects if Stripe rejects the key, or if the account has no prices. */
export async function openStore(key = process.env['STRIPE_SECRET_KEY']): Promise<StripeStore & Ready> {
  if (!key) throw new SettingsError('STRIPE_SECRET_KEY: is missing. Set the secret key of your Stripe account.')
  const store = stripeStore(new Stripe(key, { apiVersion: stripeApiVersion }), {
    currency: 'USD',
    timeZone: 'UTC',
    // Your custom actions by action id. An action returns the fields of the Stripe customer to change.
    actions: {
      claim_gift: () => ({ metadata: { gift: 'claimed' } }),
    },
  })
  // Prints the products, prices and subscriptions that the store does not support.
  for (const line of await store.ready()) console.warn(line)
  // Does not send a request to Stripe for each probe, because Stripe limits the number of requests.
  return { ...store, isReady: async () => true }
}

interface Ready {
  /** Returns whether the server can handle requests. */
  isReady(): Promise<boolean>
}
