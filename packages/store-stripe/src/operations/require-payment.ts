import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { idOf } from '../account/to-account.ts'

type Payer = Pick<Stripe.Subscription, 'default_payment_method' | 'default_source' | 'collection_method'>

/** Throws StoreError `payment_failed` when Stripe would have nothing to charge: it would make an order that nobody pays. */
export function requirePayment(customer: Stripe.Customer | undefined, payer?: Payer): void {
  if (payer?.collection_method === 'send_invoice') return
  const hasOwn = payer !== undefined && (payer.default_payment_method !== null || payer.default_source !== null)
  if (hasOwn || (customer !== undefined && canPay(customer))) return
  throw new StoreError('payment_failed', 'There is no payment method.')
}

/** The customer with a payment method, of several with one email. */
export function payingCustomer(customers: readonly Stripe.Customer[]): Stripe.Customer | undefined {
  return customers.find(canPay)
}

/** The customer of a subscription. */
export function customerOf(
  { customer }: Pick<Stripe.Subscription, 'customer'>,
  customers: readonly Stripe.Customer[],
): Stripe.Customer | undefined {
  return customers.find(({ id }) => id === idOf(customer))
}

function canPay({ invoice_settings, default_source }: Stripe.Customer): boolean {
  return invoice_settings.default_payment_method !== null || (default_source ?? null) !== null
}
