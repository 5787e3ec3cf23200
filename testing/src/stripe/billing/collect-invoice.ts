import type { Stripe } from 'stripe'
import { isDeclining } from '../resources/attach-payment-method.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createDecline, createInvalidRequest, type StripeFailure } from '../stripe-failure.ts'

/** Finalizes a draft: it gets its number and uses the customer's balance; one of nothing is paid (docs.stripe.com/invoicing/overview). */
export function finalizeInvoice(account: StripeAccount, draft: Stripe.Invoice): Stripe.Invoice {
  const customer = findResource(account.customers, 'customer', idOf(draft.customer ?? ''))
  const ending_balance = Math.min(0, draft.starting_balance + draft.total)
  account.customers.set(customer.id, {
    ...customer,
    balance: ending_balance,
    currency: customer.currency ?? draft.currency,
  })
  const open: Stripe.Invoice = {
    ...draft,
    auto_advance: true,
    automatically_finalizes_at: null,
    effective_at: account.now(),
    ending_balance,
    number: draft.id.toUpperCase(),
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: account.now() },
  }
  account.invoices.set(open.id, open)
  return open.amount_due === 0 ? markPaid(account, open) : open
}

/**
 * Tries to pay a finalized invoice with the subscription's payment method, else the customer's
 * (docs.stripe.com/billing/subscriptions/payment-methods-setting). Returns why it failed, undefined when it is paid.
 */
export function payInvoice(account: StripeAccount, open: Stripe.Invoice, chosen?: string): StripeFailure | undefined {
  if (open.status === 'paid') return undefined
  const id = chosen ?? findPaymentMethod(account, open)
  if (id === undefined) return createNoPaymentMethod()
  const method = findResource(account.payment_methods, 'PaymentMethod', id, 'payment_method')
  const attempt = { ...open, attempted: true, attempt_count: open.attempt_count + 1, next_payment_attempt: null }
  account.invoices.set(open.id, attempt)
  if (!isDeclining(method)) {
    markPaid(account, attempt)
    return undefined
  }
  return createDecline()
}

/** What pays for a subscription: its own payment method, else the customer's. */
export function findSubscriptionPaymentMethod(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'customer' | 'default_payment_method'>,
): string | undefined {
  const { default_payment_method } = subscription
  if (default_payment_method !== null) return idOf(default_payment_method)
  const customer = findResource(account.customers, 'customer', idOf(subscription.customer))
  const method = customer.invoice_settings.default_payment_method
  return method === null ? undefined : idOf(method)
}

/** Nothing to pay with: what Stripe says when a subscription is made or changed so that something is due at once. */
export function createNoPaymentMethod(): StripeFailure {
  return createInvalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    undefined,
    'resource_missing',
  )
}

function findPaymentMethod(account: StripeAccount, invoice: Stripe.Invoice): string | undefined {
  const id = invoice.parent?.subscription_details?.subscription
  return id === undefined
    ? undefined
    : findSubscriptionPaymentMethod(account, findResource(account.subscriptions, 'subscription', idOf(id)))
}

function markPaid(account: StripeAccount, open: Stripe.Invoice): Stripe.Invoice {
  const paid: Stripe.Invoice = {
    ...open,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.status_transitions, paid_at: account.now() },
  }
  account.invoices.set(paid.id, paid)
  const id = open.parent?.subscription_details?.subscription
  const subscription = id === undefined ? undefined : account.subscriptions.get(idOf(id))
  // "The subscription becomes active once its latest invoice is paid": docs.stripe.com/billing/subscriptions/overview.
  if (subscription?.latest_invoice === paid.id && ['incomplete', 'past_due'].includes(subscription.status))
    account.subscriptions.set(subscription.id, { ...subscription, status: 'active' })
  return paid
}
