import type { Stripe } from 'stripe'
import { isDeclining } from '../resources/handle-customers.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createDecline, createInvalidRequest, createUnsupported, type StripeFailure } from '../stripe-failure.ts'

/** Parameter `payment_behavior`, which defines the effect of a failed payment. */
export type PaymentBehavior = Stripe.SubscriptionUpdateParams['payment_behavior']

/**
 * Finalizes an invoice and pays it immediately. With `error_if_incomplete`, a declined payment rolls back the whole
 * change (docs.stripe.com/api/subscriptions/update#update_subscription-payment_behavior).
 */
export function payImmediately(account: StripeAccount, draft: Stripe.Invoice, behavior: PaymentBehavior): void {
  const failure = collectInvoice(account, draft)
  if (failure === undefined) return
  if (failure.status === 402 && behavior !== 'error_if_incomplete')
    throw createUnsupported('a change whose payment failed; send payment_behavior=error_if_incomplete')
  throw failure
}

/**
 * Finalizes a draft invoice and attempts the payment. Returns the failure if the payment fails. An invoice with the
 * amount 0 is always paid (docs.stripe.com/invoicing/overview).
 */
export function collectInvoice(account: StripeAccount, draft: Stripe.Invoice): StripeFailure | undefined {
  const open: Stripe.Invoice = { ...draft, automatically_finalizes_at: null, status: 'open' }
  if (open.amount_due === 0) return markPaid(account, open)
  // Unlike Stripe, charges only the default payment method of the customer, not of the subscription.
  const { invoice_settings } = findResource(account.customers, 'customer', idOf(open.customer ?? ''))
  const { default_payment_method: method } = invoice_settings
  if (method === null) {
    account.invoices.set(open.id, open)
    return createInvalidRequest('This customer has no attached payment source.', undefined, 'resource_missing')
  }
  account.invoices.set(open.id, { ...open, attempted: true })
  const isDeclined = isDeclining(findResource(account.payment_methods, 'PaymentMethod', idOf(method), 'payment_method'))
  return isDeclined ? createDecline() : markPaid(account, open)
}

/** Returns the subscription of an invoice, if any. */
export function findSubscription(account: StripeAccount, { parent }: Stripe.Invoice): Stripe.Subscription | undefined {
  return account.subscriptions.get(idOf(parent?.subscription_details?.subscription ?? ''))
}

function markPaid(account: StripeAccount, open: Stripe.Invoice): undefined {
  account.invoices.set(open.id, { ...open, amount_paid: open.amount_due, attempted: true, status: 'paid' })
}
