import type { Stripe } from 'stripe'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { recurringOf } from './change-items.ts'
import { payImmediately, type PaymentBehavior } from './collect-invoice.ts'
import { createInvoice, createItemLine, findPendingItems } from './create-invoice.ts'
import { addIntervals } from './find-period.ts'

/** Starts a new period now and bills it (docs.stripe.com/billing/subscriptions/billing-cycle#changing). */
export function startCycle(
  account: StripeAccount,
  subscription: Stripe.Subscription,
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
  const lines = data.map((item) => createItemLine(account, item))
  const invoice = createInvoice(account, begun, { lines, pending: findPendingItems(account, begun) })
  payImmediately(account, invoice, behavior)
  return findResource(account.subscriptions, 'subscription', begun.id)
}

/**
 * Starts a trial, whose end is the anchor of the billing cycle
 * (docs.stripe.com/api/subscriptions/update#update_subscription-trial_end). Creates an invoice with the amount 0
 * (docs.stripe.com/billing/subscriptions/trials/free-trials).
 */
export function startTrial(
  account: StripeAccount,
  subscription: Stripe.Subscription,
  end: number,
  isNew = false,
): Stripe.Subscription {
  // The documentation does not say whether a second trial changes the start. This is the less favorable reading.
  const start = subscription.trial_start ?? account.now()
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: subscription.status === 'trialing' ? start : account.now(),
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
  const lines = data.map((item) => createItemLine(account, item, true))
  // The first invoice of a new subscription includes pending items (docs.stripe.com/api/invoiceitems/create).
  // For a trial that an update starts, the documentation allows both readings; see `trialsBillPending`.
  const pending = isNew || account.trialsBillPending ? findPendingItems(account, begun) : []
  const invoice = createInvoice(account, begun, { lines, pending })
  payImmediately(account, invoice, undefined)
  return findResource(account.subscriptions, 'subscription', begun.id)
}
