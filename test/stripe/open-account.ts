import { stripeApiVersion } from '@storeport/store-stripe'
import {
  type StandInOptions,
  startStripeStandIn,
  type StripeStandIn,
} from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'

/** An account of the stand-in with a customer who can pay and prices to subscribe to. */
export interface OpenAccount {
  readonly standIn: StripeStandIn
  readonly stripe: Stripe
  readonly customer: string
  readonly coffee: string
  /** EUR 10 a month for the coffee. */
  readonly monthly: string
  /** EUR 5 a month for the tea. */
  readonly tea: string
}

/** When the clock of each account stands: a time of day, so that nothing is by chance at midnight. */
export const start = new Date('2026-01-31T10:20:30Z')

/** A number of days after the start. */
export function after(days: number): Date {
  return new Date(start.getTime() + days * 86_400_000)
}

/** A time as Stripe writes it. */
export function seconds(time: Date): number {
  return time.getTime() / 1000
}

/** The official client, which tries nothing again by itself. */
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

/** Starts a stand-in that stops with the test, and opens an account on it. */
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
