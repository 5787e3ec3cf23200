import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { keys } from '@storeport/testing/keys'
import { afterAll, describe, it } from 'vitest'
import { openShop } from './open-shop.ts'

/** Conformance checks that fail with Stripe. Each reason names the file that tests the actual behavior. */
const notAtStripe = {
  'addProduct.creates-an-order-without-a-subscription':
    'the store creates no one-off orders (unsupported.slow.test.ts)',
  'addProduct.subtracts-a-percentage': 'a percentage is rejected for a line that exists (discount-codes.slow.test.ts)',
  'delaySubscription.does-not-shift-dates': 'Stripe delays a billing by at most two years (operations.slow.test.ts)',
  'delaySubscription.accepts-a-distant-date': 'Stripe delays a billing by at most two years (operations.slow.test.ts)',
}

await behavesLikeStorePort(
  'a store that uses Stripe Billing',
  {
    fresh: true,
    skips: notAtStripe,
    start: async () => {
      const { store, standIn, profile, now } = await openShop()
      const integration = createIntegration({ store, apiKeys: [keys.first, keys.second] })
      const server = await serve(integration, { port: 0 })
      return {
        url: server.url,
        apiKey: keys.first,
        secondApiKey: keys.second,
        profile,
        now,
        stop: async () => {
          await server.close()
          await standIn.close()
        },
      }
    },
  },
  { describe, it, afterAll },
)
