import { readProfile, sendTo } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { createIntegration } from '@storeport/core'
import { openStore } from '../store.ts'

// The checks change subscriptions and create orders, so they run only in a sandbox.
const { STRIPE_SECRET_KEY = '' } = process.env
if (!/^[rs]k_test_/.test(STRIPE_SECRET_KEY)) throw new Error('Set STRIPE_SECRET_KEY to the key of a Stripe sandbox.')
const apiKey = 'a-key-for-tests-only'
const store = await openStore()

/** Checks that cannot pass with Stripe, with the reasons. */
const skips = {
  'addProduct.creates-an-order-without-a-subscription': 'The store creates no one-off orders.',
  'addProduct.subtracts-a-percentage': 'Stripe applies a percentage to a whole line.',
  'delaySubscription.does-not-shift-dates': 'Stripe delays a billing by at most two years.',
  'delaySubscription.accepts-a-distant-date': 'Stripe delays a billing by at most two years.',
}

await behavesLikeStorePort('my-shop', {
  skips,
  start: async () => {
    const integration = createIntegration({ store, apiKeys: [apiKey] })
    const profile = await readProfile('conformance-profile.json')
    return { send: sendTo((request) => integration.fetch(request)), apiKey, profile }
  },
})
