import type { Stripe } from 'stripe'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { recurringOf } from './change-items.ts'
import { collectNow, type PaymentBehavior } from './collect-invoice.ts'
import { createInvoice, findPendingItems } from './create-invoice.ts'
import { createItemLine } from './create-line.ts'
import { addIntervals } from './find-period.ts'

/** Which request starts a period. */
type StartReason = 'subscription_create' | 'subscription_update'

/** Lets every item's period begin now and bills it at once (docs.stripe.com/billing/subscriptions/billing-cycle#changing). */
export function startCycle(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  reason: StartReason,
  behavior: PaymentBehavior,
): Stripe.Subscription {
  const start = account.now()
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: addIntervals(start, recurringOf(item.price), 1),
  }))
  const begun: Stripe.Subscription = {
    ...subscription,
    billing_cycle_anchor: start,
    items: { ...subscription.items, data },
    status: 'active',
  }
  account.subscriptions.set(begun.id, begun)
  const lines = data.map((item) => createItemLine(account, item, { start, end: item.current_period_end }))
  const invoice = createInvoice(account, begun, { reason, lines, pending: findPendingItems(account, begun) })
  collectNow(account, invoice, behavior)
  return findResource(account.subscriptions, 'subscription', begun.id)
}

/**
 * Lets a trial begin that ends at a time, which becomes the anchor of the cycle after it
 * (docs.stripe.com/api/subscriptions/update#update_subscription-trial_end), and makes the invoice of nothing that every
 * trial begins with (docs.stripe.com/billing/subscriptions/trials/free-trials).
 */
export function startTrial(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  end: number,
  reason: StartReason,
): Stripe.Subscription {
  const start = (subscription.status === 'trialing' ? subscription.trial_start : null) ?? account.now()
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }))
  const begun: Stripe.Subscription = {
    ...subscription,
    billing_cycle_anchor: end,
    items: { ...subscription.items, data },
    status: 'trialing',
    trial_end: end,
    trial_start: start,
  }
  account.subscriptions.set(begun.id, begun)
  const lines = data.map((item) => createItemLine(account, item, { start: account.now(), end }, true))
  // A new subscription bills what is pending with its first invoice. One that is changed leaves it to "the next upcoming
  // scheduled invoice" (docs.stripe.com/api/invoiceitems/create): that no trial of nothing bills it is read from this sentence.
  const pending = reason === 'subscription_create' ? findPendingItems(account, begun) : []
  const invoice = createInvoice(account, begun, { reason, lines, pending })
  collectNow(account, invoice, undefined)
  return findResource(account.subscriptions, 'subscription', begun.id)
}
