import { createSeedProfile, type Profile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { startExample } from '@storeport/testing/start-program'
import { afterAll, describe, it } from 'vitest'

await behavesLikeStorePort(
  'example stripe, started by npm start,',
  {
    // `packages/store-stripe/test/behaviour.slow.test.ts` runs every check on the store.
    layer: 'wire',
    start: async () => {
      const { url, stop } = await startExample('stripe')
      return { url, stop, apiKey: keys.first, profile: await createProfile(url) }
    },
  },
  { describe, it, afterAll },
)

/** Returns the conformance profile of the seed, with the subscription ids that Stripe assigned. */
async function createProfile(url: string): Promise<Profile> {
  const profile = createSeedProfile('USD')
  const shop = shopAt(url, keys.first)
  const { subscriptions } = await shop.listCancelledSubscriptions({ email: 'cancelled@example.com' })
  const cancelled = subscriptions.map(({ subscription_id }) => subscription_id)
  const { unknown } = profile.subscriptions
  const refusals = profile.refusals.filter(({ call }) => call !== 'reactivateSubscription')
  return { ...profile, refusals, subscriptions: { cancelled, unknown } }
}
