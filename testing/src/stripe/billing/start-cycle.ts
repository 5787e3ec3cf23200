import type { Stripe } from 'stripe'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { recurringOf } from './change-items.ts'
import { payImmediately, type PaymentBehavior } from './collect-invoice.ts'
import { createInvoice, findPendingItems } from './create-invoice.ts'
import { createItemLine } from './create-line.ts'
import { addIntervals } from './find-period.ts'

/** The request that starts a period. */
type StartReason = 'subscription_create' | 'subscription_update'

/** Starts a new period of each item now and bills it immediately (docs.stripe.com/billing/subscriptions/billing-cycle#changing). */
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
  payImmediately(account, invoice, behavior)
  return findResource(account.subscriptions, 'subscription', begun.id)
}

/**
 * Starts a trial. The end of the trial is the anchor of the next cycle
 * (docs.stripe.com/api/subscriptions/update#update_subscription-trial_end). Creates an invoice of 0 at the start of the trial
 * (docs.stripe.com/billing/subscriptions/trials/free-trials).
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
  // A new subscription bills pending items with its first invoice. A changed subscription bills them with "the next upcoming scheduled
  // invoice" (docs.stripe.com/api/invoiceitems/create). We assume that the trial's invoice of 0 does not count as scheduled.
  const pending = reason === 'subscription_create' ? findPendingItems(account, begun) : []
  const invoice = createInvoice(account, begun, { reason, lines, pending })
  payImmediately(account, invoice, undefined)
  return findResource(account.subscriptions, 'subscription', begun.id)
}
