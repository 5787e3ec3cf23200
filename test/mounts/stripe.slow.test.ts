import { createSeedProfile, type Profile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { startExample, startProgram } from '@storeport/testing/start-program'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
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
    'lose no add of concurrent clicks of one customer, count a double click once, and charge three Send Nows once',
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
      const post = async (at: string | undefined, path: string, body: object) => {
        const response = await fetch(`${at}/integration${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-integration-api-key': keys.first },
          body: JSON.stringify({ email, ...body }),
        })
        return `${response.status} ${response.headers.get('idempotency-replayed')}`
      }
      const add = (at: string | undefined, quantity: number) =>
        post(at, '/upsells/add-product', { product_id: 'test_12345', quantity })
      expect(await Promise.all([add(one?.url, 1), add(other?.url, 2)])).toEqual(['200 null', '200 null'])
      expect(await count(stripe)).toBe(before + 3)
      expect((await Promise.all([add(one?.url, 4), add(other?.url, 4)])).toSorted()).toEqual(['200 null', '200 true'])
      expect(await count(stripe)).toBe(before + 7)
      const sent = await Promise.all([one, other, one].map((at) => post(at?.url, '/customer-portal/send-now', {})))
      expect(sent.toSorted()).toEqual(['200 null', '200 true', '200 true'])
      const { data } = await stripe.invoices.list({ limit: 100 })
      expect(data.filter(({ amount_paid }) => amount_paid > 0)).toHaveLength(1)
    },
  )
})

async function fillAccount() {
  const standIn = await startStripeStandIn({ now: () => new Date(Date.now() - 120_000) })
  onTestFinished(() => standIn.close())
  const { hostname: host, port } = new URL(standIn.url)
  const stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http' })
  const { subscriptions } = await seedStripe(stripe, { change: standIn.change })
  await standIn.advanceTo(new Date())
  return { standIn, stripe, subscriptions }
}

function unitsOf(subscription: string, product: string) {
  return async (stripe: Stripe) => {
    const { items } = await stripe.subscriptions.retrieve(subscription)
    return items.data.find(({ price }) => price.product === product)?.quantity ?? 0
  }
}
