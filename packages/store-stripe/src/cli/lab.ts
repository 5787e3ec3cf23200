import { type Context, isStoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { stripeStore } from '../stripe-store.ts'
import { readFailure } from '../stripe/to-store-error.ts'
import type { Network } from './account.ts'

/** Deletion or archiving of an object that the checks created, by the id of the object. */
export type Removals = Map<string, () => Promise<unknown>>

/** What all customers of the checks share. */
interface Sandbox extends Awaited<ReturnType<typeof createCatalogue>> {
  readonly mode: Stripe.Subscription.BillingMode.Type
  readonly stripe: Stripe
  readonly network: Network
}

/** A customer on a new test clock, with a coffee subscription that began two days earlier. */
export type Lab = Awaited<ReturnType<typeof openLab>>

export const day = 86_400
/** Maximum time that Stripe may take to advance a test clock, in milliseconds. */
const maxAdvanceMs = 300_000

/** Creates two products with a monthly price, a tax rate, and a promotion code for 10% off one order. Returns their ids, and the code. */
export async function createCatalogue(stripe: Stripe, currency: string, removals: Removals) {
  const rate = await stripe.taxRates.create({ display_name: 'StorePort verify', inclusive: false, percentage: 8 })
  removals.set(rate.id, () => stripe.taxRates.update(rate.id, { active: false }))
  const create = async (name: string, unit_amount: number) => {
    const { id: product } = await stripe.products.create({ name: `StorePort verify: ${name}` })
    removals.set(product, () => stripe.products.update(product, { active: false }))
    const terms = { currency: currency.toLowerCase(), recurring: { interval: 'month' } } as const
    const { id: price } = await stripe.prices.create({ ...terms, product, unit_amount })
    removals.set(price, () => stripe.prices.update(price, { active: false }))
    return { product, price }
  }
  const [coffee, tea] = [await create('coffee', 1000), await create('tea', 500)]
  const { id: coupon } = await stripe.coupons.create({ name: 'StorePort verify', percent_off: 10, duration: 'once' })
  removals.set(coupon, () => stripe.coupons.del(coupon))
  const { code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } })
  return { coffee, tea, rate: rate.id, code }
}

/** Creates a test clock, and the customer and subscription of a lab. The deletion of the test clock deletes both. */
export async function openLab(sandbox: Sandbox, currency: string, removals: Removals) {
  const { stripe, network, coffee, rate, mode } = sandbox
  const { testClocks } = stripe.testHelpers
  const frozen_time = Math.floor(Date.now() / 1000)
  const { id: clock, ...created } = await testClocks.create({ frozen_time, name: 'StorePort verify' })
  network.clock = clock
  removals.set(clock, () => testClocks.del(clock))
  let time = created.frozen_time
  /** Advances the test clock, and waits until Stripe has billed everything that is due. */
  const advance = async (seconds: number) => {
    time += seconds
    const startedAt = performance.now()
    let { status } = await testClocks.advance(clock, { frozen_time: time })
    while (status !== 'ready') {
      if (status === 'internal_failure' || performance.now() - startedAt > maxAdvanceMs)
        throw new Error('Stripe did not advance the test clock.')
      await new Promise((resume) => setTimeout(resume, 1000))
      status = (await testClocks.retrieve(clock)).status
    }
  }
  const email = `storeport-${crypto.randomUUID()}@example.com`
  const card = 'pm_card_visa'
  const { id: customer } = await stripe.customers.create({
    email,
    test_clock: clock,
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  })
  const { id: subscription } = await stripe.subscriptions.create({
    customer,
    items: [{ price: coffee.price }],
    default_tax_rates: [rate],
    billing_mode: { type: mode },
  })
  await advance(2 * day)
  const store = stripeStore(stripe, { currency, now: () => time * 1000, timeoutMs: 30_000 })
  /** Returns the time of the test clock, in seconds since 1970. */
  const now = () => time
  return { ...sandbox, store, email, customer, subscription, now, advance }
}

/** Creates the context of a click. */
export function newClick(): Context {
  const idempotencyKey = crypto.randomUUID()
  return { requestId: 'verify', signal: new AbortController().signal, idempotencyKey, testMode: false }
}

/** Runs a call and returns `done`, or the code of its StoreError, or the type of its Stripe error. */
export async function attempt(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    const code = isStoreError(error) ? error.code : readFailure(error).type
    if (code === undefined) throw error
    return code
  }
}

/** Sends a click whose first response is lost, and repeats the click. */
export async function attemptTwice(lab: Lab, call: (context: Context) => Promise<unknown>): Promise<string> {
  const context = newClick()
  lab.network.lost = 1
  const first = await attempt(call(context))
  const wasLost = lab.network.lost === 0
  lab.network.lost = 0
  return `${wasLost && first === 'upstream_error' ? 'lost' : first}, ${await attempt(call(context))}`
}

/** Returns the quantity of a price in the subscription as text. */
export async function countUnits({ stripe, subscription }: Lab, price: string): Promise<string> {
  const { items } = await stripe.subscriptions.retrieve(subscription)
  return `units: ${items.data.find((item) => item.price.id === price)?.quantity ?? 0}`
}

/** Returns the result of a function, and the number of invoices above 0 that Stripe charged meanwhile. */
export async function countCharges({ stripe, customer }: Lab, run: () => Promise<unknown>): Promise<string> {
  const count = async () => {
    const { data } = await stripe.invoices.list({ customer, limit: 100 })
    return data.filter(({ amount_paid }) => amount_paid > 0).length
  }
  const before = await count()
  const result = await run()
  return `${result === undefined ? '' : `${String(result)}, `}charges: ${(await count()) - before}`
}

/** Sets a test card as the customer's default payment method. */
export async function useCard({ stripe, customer }: Lab, card: string): Promise<void> {
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
}
