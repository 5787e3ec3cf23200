import { createSeedProfile, type Profile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { startExample, startProgram } from '@storeport/testing/start-program'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

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

const email = 'subscription@example.com'

describe.skipIf(noRedis)('two processes that share a ledger', () => {
  it(
    'lose no add of concurrent clicks of one customer, and count a double click once',
    { timeout: 120_000 },
    async () => {
      const { standIn, stripe, subscriptions } = await fillAccount()
      const redis = await startRedis()
      onTestFinished(() => redis.stop())
      const start = () =>
        startProgram('node --import tsx test/mounts/stripe-process.ts', {
          STRIPE_SECRET_KEY: standIn.secretKey,
          STRIPE_URL: standIn.url,
          REDIS_PATH: redis.path,
        })
      const processes = await Promise.all([start(), start()])
      onTestFinished(async () => void (await Promise.all(processes.map(({ stop }) => stop()))))
      const count = unitsOf(subscriptions['sub_1001'] ?? '', 'test_12345')
      const before = await count(stripe)
      const [one, other] = processes
      const add = async (at: string | undefined, quantity: number) => {
        const response = await fetch(`${at}/integration/upsells/add-product`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-integration-api-key': keys.first },
          body: JSON.stringify({ email, product_id: 'test_12345', quantity }),
        })
        return `${response.status} ${response.headers.get('idempotency-replayed')}`
      }
      expect(await Promise.all([add(one?.url, 1), add(other?.url, 2)])).toEqual(['200 null', '200 null'])
      expect(await count(stripe)).toBe(before + 3)
      expect((await Promise.all([add(one?.url, 4), add(other?.url, 4)])).toSorted()).toEqual(['200 null', '200 true'])
      expect(await count(stripe)).toBe(before + 7)
    },
  )
})

async function fillAccount(): Promise<{
  standIn: StripeStandIn
  stripe: Stripe
  subscriptions: Readonly<Record<string, string>>
}> {
  const opened = Date.now()
  const standIn = await startStripeStandIn({ now: () => new Date(Date.now() - 401 * 24 * 3_600_000) })
  onTestFinished(() => standIn.close())
  const { hostname: host, port } = new URL(standIn.url)
  const stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http' })
  const { subscriptions } = await seedStripe(stripe, {
    moveTo: (to) => standIn.advanceTo(new Date(Math.min(Date.parse(to), opened))),
  })
  await standIn.advanceTo(new Date())
  return { standIn, stripe, subscriptions }
}

function unitsOf(subscription: string, product: string) {
  return async (stripe: Stripe) => {
    const { items } = await stripe.subscriptions.retrieve(subscription)
    return items.data.find(({ price }) => price.product === product)?.quantity ?? 0
  }
}
