import { createSeedProfile, type Profile } from '@storeport/conformance'
import { stripeStore, type StripeStore, type StripeStoreOptions } from '@storeport/store-stripe'
import { contextOf } from '@storeport/testing/clicks'
import { seedStripe, shippingProduct } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn, type StripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'

const dayMs = 24 * 3_600_000

/** A shop over an account of Stripe that was just filled. */
export interface StripeShop {
  readonly stripe: Stripe
  readonly standIn: StripeStandIn
  readonly store: StripeStore
  /** The ids that Stripe gave the subscriptions of the seed. */
  readonly subscriptions: Readonly<Record<string, string>>
  /** What the seed holds, with those ids. */
  readonly profile: Profile
  /** The time of Stripe and of the store. */
  now(): Date
  /** Lets time pass for both. */
  pass(ms: number): Promise<void>
  /** Another store over the same account, as another process has it. */
  another(options?: StripeStoreOptions): StripeStore
}

/** Opens the shop of the seed, on 10 March 2026 at 9 o'clock unless `start` says otherwise. */
export async function openShop(options: StripeStoreOptions = {}, start = '2026-03-10T09:00:00Z'): Promise<StripeShop> {
  // The earliest subscription of the seed was cancelled 400 days before.
  let time = Date.parse(start) - 401 * dayMs
  const now = () => new Date(time)
  const standIn = await startStripeStandIn({ now })
  const stripe = openStripe(standIn)
  const moveTo = async (instant: number) => {
    if (instant <= time) return
    time = instant
    await standIn.advanceTo(now())
  }
  const today = start.slice(0, 10)
  const { subscriptions } = await seedStripe(stripe, {
    today,
    moveTo: (day) => moveTo(Math.min(Date.parse(day), Date.parse(start))),
  })
  await moveTo(Date.parse(start))
  const another = (more: StripeStoreOptions = {}) =>
    stripeStore(openStripe(standIn), { shippingProduct, now: () => time, actions, ...options, ...more })
  return {
    stripe,
    standIn,
    store: another(),
    subscriptions,
    profile: profileOf(subscriptions, today),
    now,
    pass: (ms) => moveTo(time + ms),
    another,
  }
}

/** Opens a shop that ends with the test. */
export async function openTestShop(...call: Parameters<typeof openShop>): Promise<StripeShop> {
  const shop = await openShop(...call)
  onTestFinished(() => shop.standIn.close())
  return shop
}

/** A client of the stand-in; nothing is repeated but what a test repeats. */
export function openStripe({ url, secretKey }: Pick<StripeStandIn, 'url' | 'secretKey'>): Stripe {
  const { hostname: host, port } = new URL(url)
  return new Stripe(secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** The customer whose subscription is billed next in most tests. */
export const email = 'subscription@example.com'

/** The units of items of the customer's current subscription; undefined without any such item. */
export async function unitsOf({ store }: Pick<StripeShop, 'store'>, ...ids: string[]): Promise<number | undefined> {
  const subscription = await store.getSubscription({ email }, contextOf())
  const items = (subscription?.items ?? []).filter(({ id }) => ids.includes(id))
  return items.length === 0 ? undefined : items.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** How many invoices of more than nothing were paid. */
export async function countCharges({ stripe }: Pick<StripeShop, 'stripe'>): Promise<number> {
  return (await stripe.invoices.list({ limit: 100 })).data.filter(({ amount_paid }) => amount_paid > 0).length
}

/** How many subscriptions were made of a cancelled one of the seed. */
export async function countRenewals({ stripe, subscriptions }: StripeShop): Promise<number> {
  const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 })
  return data.filter(({ metadata }) => metadata['storeport_replaces'] === subscriptions['sub_2003']).length
}

/** Gives the customer another card. */
export async function useCard({ stripe }: Pick<StripeShop, 'stripe'>, card: string): Promise<void> {
  const [customer] = (await stripe.customers.list({ email })).data
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer?.id ?? '' })
  await stripe.customers.update(customer?.id ?? '', { invoice_settings: { default_payment_method: id } })
}

/** The actions of the seed, each of which leaves a word with the customer. */
export const actions = Object.fromEntries(
  ['claim_discount_10off', 'join_waitlist_product_123', 'change_to_quarterly', 'register_webinar_march'].map((name) => [
    name,
    ({ metadata }: Stripe.Customer) => ({ metadata: { [name]: String(Number(metadata[name] ?? 0) + 1) } }),
  ]),
)

function profileOf(ids: Readonly<Record<string, string>>, today: string): Profile {
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
