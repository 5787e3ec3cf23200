import { createSeedProfile, type Profile } from '@storeport/conformance'
import { createIntegration, memoryLedger, type StorePort } from '@storeport/core'
import { stripeStore, type StripeStoreOptions } from '@storeport/store-stripe'
import { contextOf } from '@storeport/testing/clicks'
import { keys } from '@storeport/testing/keys'
import { send } from '@storeport/testing/send'
import { seedStripe, shippingProduct } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'
import { run } from '../src/cli/run.ts'

/** A store for a seeded account on the Stripe stand-in, the Stripe ids of the seeded subscriptions by seed id, and a profile with these ids. */
export type StripeShop = Awaited<ReturnType<typeof openShop>>

/**
 * Seeds an account on a new stand-in and opens a store for the account. `start` is the time when the seed is complete.
 */
export async function openShop(start = '2026-03-10T09:00:00Z') {
  // Begins earlier, because Stripe finds new customers only after a minute.
  let time = Date.parse(start) - 120_000
  /** Returns the current time of the stand-in and the store. */
  const now = () => new Date(time)
  const standIn = await startStripeStandIn({ now })
  const stripe = openStripe(standIn)
  /** Advances the time of the stand-in and the store. */
  const pass = async (ms: number) => {
    time += ms
    await standIn.advanceTo(now())
  }
  const today = start.slice(0, 10)
  const { subscriptions } = await seedStripe(stripe, { today, change: standIn.change })
  await pass(120_000)
  /** Creates another store for the same account, as a second process would. */
  const another = (options: StripeStoreOptions = {}) =>
    stripeStore(openStripe(standIn), {
      shippingProduct,
      freeTrials: 'change',
      now: () => time,
      actions,
      ...options,
    })
  const profile = createProfile(subscriptions, today)
  return { stripe, standIn, store: another(), subscriptions, profile, now, pass, another }
}

/** Opens a shop, and closes its stand-in when the test finishes. */
export async function openTestShop(...call: Parameters<typeof openShop>): Promise<StripeShop> {
  const shop = await openShop(...call)
  onTestFinished(() => shop.standIn.close())
  return shop
}

/** Creates a Stripe client for the stand-in. */
export function openStripe(
  { url, secretKey }: Pick<StripeStandIn, 'url' | 'secretKey'>,
  ownFetch?: typeof fetch,
): Stripe {
  const { hostname: host, port } = new URL(url)
  const client = ownFetch && { httpClient: Stripe.createFetchHttpClient(ownFetch) }
  return new Stripe(secretKey, { host, port, protocol: 'http', ...client, maxNetworkRetries: 0, telemetry: false })
}

/** Creates a function that posts clicks to an integration, whose in-memory ledger has the shop's clock. */
export function postTo({ store, now }: Pick<StripeShop, 'now'> & { readonly store: StorePort }) {
  const retries = { ledger: memoryLedger({ now: () => now().getTime() }), processes: 1 }
  const integration = createIntegration({ store, apiKeys: [keys.first], retries, onError: () => {} })
  return (path: string, body: object, name?: string) =>
    send(integration, `/integration${path}`, { body, headers: name === undefined ? {} : { 'idempotency-key': name } })
}

/** Email of the customer in most tests. */
export const email = 'subscription@example.com'

/** Returns the total quantity of the given items in the current subscription; `undefined` if no item exists. */
export async function unitsOf({ store }: Pick<StripeShop, 'store'>, ...ids: string[]): Promise<number | undefined> {
  const subscription = await store.getSubscription({ email }, contextOf())
  const items = (subscription?.items ?? []).filter(({ id }) => ids.includes(id))
  return items.length === 0 ? undefined : items.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Counts the paid invoices with an amount above 0. */
export async function countCharges({ stripe }: Pick<StripeShop, 'stripe'>): Promise<number> {
  return (await stripe.invoices.list({ limit: 100 })).data.filter(({ amount_paid }) => amount_paid > 0).length
}

/** Counts the subscriptions that replace `sub_2003`, a cancelled subscription in the seed. */
export async function countRenewals({ stripe, subscriptions }: StripeShop): Promise<number> {
  const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 })
  return data.filter(({ metadata }) => metadata['storeport_replaces'] === subscriptions['sub_2003']).length
}

/** Sets another card as the customer's default payment method. */
export async function useCard(
  { stripe }: Pick<StripeShop, 'stripe'>,
  card: string,
  owner: string = email,
): Promise<void> {
  const [customer] = (await stripe.customers.list({ email: owner })).data
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer?.id ?? '' })
  await stripe.customers.update(customer?.id ?? '', { invoice_settings: { default_payment_method: id } })
}

/** Runs the command `storeport-stripe` and returns its exit code and its output. */
export async function runCommand(
  words: string,
  at: Pick<StripeStandIn, 'secretKey' | 'url'> | { readonly env: Readonly<Record<string, string>> },
) {
  const [lines, errors]: [string[], string[]] = [[], []]
  const code = await run(words.split(' '), 'env' in at ? at.env : environment(at), {
    out: (line) => void lines.push(line),
    err: (line) => void errors.push(line),
    interruption: new AbortController().signal,
  })
  return { code, out: lines.join('\n'), err: errors.join('\n') }
}

/** Returns the environment variables of the command for a stand-in. */
export function environment({ secretKey, url }: { readonly secretKey: string; readonly url: string }) {
  return { STRIPE_SECRET_KEY: secretKey, STRIPE_URL: url }
}

/** Custom actions from the seed. Each action counts its runs in the customer's metadata. */
export const actions = Object.fromEntries(
  ['claim_discount_10off', 'join_waitlist_product_123', 'change_to_quarterly', 'register_webinar_march'].map((name) => [
    name,
    ({ metadata }: Stripe.Customer) => ({ metadata: { [name]: String(Number(metadata[name] ?? 0) + 1) } }),
  ]),
)

function createProfile(ids: Readonly<Record<string, string>>, today: string): Profile {
  const profile = createSeedProfile('USD')
  const idOf = (id: string) => ids[id] ?? id
  const { cancelled = [], tooOld = '', active = '', unknown } = profile.subscriptions
  return {
    ...profile,
    today,
    subscriptions: { cancelled: cancelled.map(idOf), tooOld: idOf(tooOld), active: idOf(active), unknown },
    refusals: profile.refusals.map((refusal) =>
      refusal.call === 'reactivateSubscription'
        ? { ...refusal, input: { ...refusal.input, subscription_id: idOf(tooOld) } }
        : refusal,
    ),
  }
}
