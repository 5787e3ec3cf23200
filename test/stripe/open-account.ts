import { stripeApiVersion } from '@storeport/store-stripe'
import {
  type StandInOptions,
  startStripeStandIn,
  type StripeStandIn,
} from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'

/** An account on a Stripe stand-in, with a customer who can pay and with prices for subscriptions. */
export interface OpenAccount {
  readonly standIn: StripeStandIn
  readonly stripe: Stripe
  readonly customer: string
  readonly coffee: string
  /** Price of coffee: EUR 10 per month. */
  readonly monthly: string
  /** Price of tea: EUR 5 per month. */
  readonly tea: string
}

/** Initial time of each account. The time is not midnight, so that the tests detect errors in the time of day. */
export const start = new Date('2026-01-31T10:20:30Z')

/** Returns the initial time plus the given number of days. */
export function after(days: number): Date {
  return new Date(start.getTime() + days * 86_400_000)
}

/** Converts a time to the seconds since 1970 that Stripe uses. */
export function seconds(time: Date): number {
  return time.getTime() / 1000
}

/** Creates the official Stripe client without retries. */
export function connect(standIn: StripeStandIn, key = standIn.secretKey, config: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(standIn.url)
  return new Stripe(key, {
    apiVersion: stripeApiVersion,
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  })
}

/** Opens an account on a new stand-in, which stops when the test finishes. */
export async function openAccount(options: StandInOptions = {}): Promise<OpenAccount> {
  const standIn = await startStripeStandIn({ now: () => start, ...options })
  onTestFinished(() => standIn.close())
  const stripe = connect(standIn)
  const { id: customer } = await stripe.customers.create({
    email: 'jane@example.com',
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const { id: coffee } = await stripe.products.create({ id: 'coffee', name: 'Coffee' })
  const { id: black } = await stripe.products.create({ id: 'tea', name: 'Tea' })
  const recurring = { interval: 'month' as const }
  const { id: monthly } = await stripe.prices.create({ product: coffee, currency: 'eur', unit_amount: 1000, recurring })
  const { id: tea } = await stripe.prices.create({ product: black, currency: 'eur', unit_amount: 500, recurring })
  return { standIn, stripe, customer, coffee, monthly, tea }
}
