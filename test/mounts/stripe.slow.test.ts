import { createSeedProfile, type Profile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { startExample, startProgram } from '@storeport/testing/start-program'
import { noRedis, startRedis } from '@storeport/testing/start-redis'
import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'

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

interface Click {
  readonly path: string
  readonly body: object
  readEffect(stripe: Stripe): Promise<unknown>
  /** Returns the expected result of `readEffect` after the click has run once. */
  afterOneRun(before: unknown): unknown
}

const plus = (more: number) => (before: unknown) => Number(before) + more

/** Lists the seven changes in a sequence in which every change can succeed. */
function listClicks(ids: Readonly<Record<string, string>>): Readonly<Record<string, Click>> {
  const subscription = ids['sub_1001'] ?? ''
  const inSixtyDays = day(Date.now() / 1000 + 60 * 24 * 3600)
  return {
    addProduct: {
      path: '/upsells/add-product',
      body: { email, product_id: 'test_54321', quantity: 2 },
      readEffect: unitsOf(subscription, 'test_54321'),
      afterOneRun: plus(2),
    },
    undoAddProduct: {
      path: '/upsells/undo-add-product',
      body: { email, product_id: 'test_54321' },
      readEffect: unitsOf(subscription, 'test_54321'),
      afterOneRun: plus(-2),
    },
    swapProduct: {
      path: '/customer-portal/swap-product',
      body: {
        email,
        current_item_id: 'test_12345',
        new_product_id: 'test_54321',
      },
      readEffect: unitsOf(subscription, 'test_54321'),
      afterOneRun: plus(2),
    },
    delaySubscription: {
      path: '/customer-portal/delay',
      body: { email: 'another@example.com', new_date: inSixtyDays },
      readEffect: async (stripe) => day((await stripe.subscriptions.retrieve(ids['sub_3001'] ?? '')).trial_end ?? 0),
      afterOneRun: () => inSixtyDays,
    },
    runCustomAction: {
      path: '/custom-action',
      body: { email: 'test@example.com', action_id: 'join_waitlist_product_123' },
      readEffect: async (stripe) =>
        (await stripe.customers.list({ email: 'test@example.com' })).data[0]?.metadata['waitlist'],
      afterOneRun: () => 'yes',
    },
    reactivateSubscription: {
      path: '/reactivate/subscription',
      body: { email: 'cancelled@example.com', subscription_id: ids['sub_2003'] },
      readEffect: async (stripe) => {
        const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 })
        return data.filter(({ metadata }) => metadata['storeport_replaces'] !== undefined).length
      },
      afterOneRun: plus(1),
    },
    sendNow: {
      path: '/customer-portal/send-now',
      body: { email },
      readEffect: async (stripe) => {
        const { data } = await stripe.invoices.list({ limit: 100 })
        return data.filter(({ amount_paid }) => amount_paid > 0).length
      },
      afterOneRun: plus(1),
    },
  }
}

describe('example stripe, killed during a request to Stripe', () => {
  it.each([
    ['before Stripe applies the request', 'hang', 'a named'],
    ['after Stripe applies the request', 'hang_after', 'a named'],
    ['after Stripe applies the request', 'hang_after', 'an unnamed'],
  ] as const)(
    'applies a click once if the process is killed %s (%s) and %s click is repeated after the restart',
    { timeout: 300_000 },
    async (_, kind, naming) => {
      const { standIn, stripe, subscriptions } = await fillAccount()
      const start = () => startExample('stripe', { STRIPE_SECRET_KEY: standIn.secretKey, STRIPE_URL: standIn.url })
      let example = await start()
      onTestFinished(() => example.stop())
      const send = ({ path, body }: Click, name: string) =>
        fetch(`${example.url}/integration${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-integration-api-key': keys.first,
            ...(naming === 'a named' && { 'idempotency-key': `"${name}"` }),
          },
          body: JSON.stringify(body),
        })
      for (const [name, click] of Object.entries(listClicks(subscriptions))) {
        const before = await click.readEffect(stripe)
        const earlier = standIn.requests.length
        standIn.fail({ kind, matches: isChange })
        const lost = send(click, name).catch(() => undefined)
        const hasStarted = () => standIn.requests.slice(earlier).some((request) => isChange(request))
        await vi.waitUntil(hasStarted, { timeout: 20_000, interval: 5 })
        await example.kill()
        expect(await lost).toBeUndefined()
        example = await start()
        const again = await send(click, name)
        expect([name, again.status]).toEqual([name, 200])
        expect([name, await click.readEffect(stripe)]).toEqual([name, click.afterOneRun(before)])
      }
    },
  )
})

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

function isChange({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && !path.endsWith('create_preview')
}

function unitsOf(subscription: string, product: string) {
  return async (stripe: Stripe) => {
    const { items } = await stripe.subscriptions.retrieve(subscription)
    return items.data.find(({ price }) => price.product === product)?.quantity ?? 0
  }
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
