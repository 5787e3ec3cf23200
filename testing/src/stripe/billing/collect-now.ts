import type { Stripe } from 'stripe'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createUnsupported } from '../stripe-failure.ts'
import { createNoPaymentMethod, finalizeInvoice, findSubscriptionPaymentMethod, payInvoice } from './collect-invoice.ts'

/** What a request wants when its payment fails. */
export type PaymentBehavior = NonNullable<Stripe.SubscriptionUpdateParams['payment_behavior']>

/**
 * Finalizes an invoice and pays it at once, as a change that is billed does. Where the payment is declined the subscription
 * gets the status `unpaid`, or with `error_if_incomplete` the whole change fails with 402
 * (docs.stripe.com/api/subscriptions/update#update_subscription-payment_behavior). Without a payment method it fails.
 */
export function collectInvoice(
  account: StripeAccount,
  draft: Stripe.Invoice,
  behavior: PaymentBehavior,
  unpaid: 'incomplete' | 'past_due' | 'trialing',
): void {
  if (behavior === 'pending_if_incomplete') throw createUnsupported('payment_behavior=pending_if_incomplete')
  const id = draft.parent?.subscription_details?.subscription
  const subscription = findResource(account.subscriptions, 'subscription', idOf(id ?? ''))
  const open = finalizeInvoice(account, draft)
  if (open.status === 'paid') return
  if (behavior !== 'default_incomplete' && findSubscriptionPaymentMethod(account, subscription) === undefined)
    throw createNoPaymentMethod()
  const failure = behavior === 'default_incomplete' ? undefined : payInvoice(account, open)
  if (failure === undefined && behavior !== 'default_incomplete') return
  if (failure !== undefined && behavior === 'error_if_incomplete') throw failure
  account.subscriptions.set(subscription.id, {
    ...findResource(account.subscriptions, 'subscription', subscription.id),
    status: unpaid,
  })
}
