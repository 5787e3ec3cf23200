import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { changeItems, type ItemChange, type ItemParam } from '../billing/change-items.ts'
import { collectInvoice } from '../billing/collect-now.ts'
import { createInvoice } from '../billing/create-invoice.ts'
import { prorateItem } from '../billing/prorate-item.ts'
import { startCycle, startTrial } from '../billing/start-cycle.ts'
import { changeMetadata } from '../change-metadata.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing } from '../stripe-failure.ts'

/** Changes a subscription (docs.stripe.com/api/subscriptions/update). */
export function updateSubscription(
  account: StripeAccount,
  params: Stripe.SubscriptionUpdateParams,
  id: string,
): Stripe.Subscription {
  const found = findResource(account.subscriptions, 'subscription', id)
  checkEnded(found, params)
  checkPaymentMethod(account, idOf(found.customer), params.default_payment_method)
  const before = changeSettings(account, found, params)
  return changeAndBill(account, before, params.items ?? [], params)
}

/** Changes items, and bills that as the request asks for: now, or with the next invoice. */
export function changeAndBill(
  account: StripeAccount,
  before: Stripe.Subscription,
  items: readonly ItemParam[],
  params: Pick<
    Stripe.SubscriptionUpdateParams,
    'billing_cycle_anchor' | 'payment_behavior' | 'proration_behavior' | 'trial_end'
  >,
): Stripe.Subscription {
  const behavior = params.payment_behavior ?? 'allow_incomplete'
  const trialEnd = findTrialEnd(account, params)
  const isAnchoredNow = params.billing_cycle_anchor?.type === 'now'
  const isProrated = params.proration_behavior !== 'none'
  // Where a new period begins, what comes is billed with it, and only what goes is left to settle.
  const prorated = !isProrated ? 'none' : isAnchoredNow || trialEnd !== undefined ? 'credits' : 'all'
  const change = changeItems(account, before, items, prorated)
  const { subscription, prorations, hasNewInterval } = change
  account.subscriptions.set(subscription.id, subscription)
  if (typeof trialEnd === 'number') {
    if (isProrated) creditRest(account, change)
    return startTrial(account, subscription, trialEnd, 'subscription_update')
  }
  if (trialEnd === 'now' && subscription.status === 'trialing')
    return startCycle(account, { ...subscription, trial_end: account.now() }, 'subscription_update', behavior)
  // While it is tried the end of the trial is the anchor (docs.stripe.com/api/subscriptions/object#subscription_object-trial_end).
  if ((hasNewInterval || isAnchoredNow) && subscription.status !== 'trialing') {
    if (isProrated) creditRest(account, change)
    return startCycle(account, subscription, 'subscription_update', behavior)
  }
  if (params.proration_behavior === 'always_invoice' && prorations.length > 0) {
    // Of what is pending only the prorations (docs.stripe.com/billing/subscriptions/billing-mode/compare#invoice-one-time-charges).
    const invoice = createInvoice(account, subscription, {
      reason: 'subscription_update',
      lines: [],
      pending: prorations,
    })
    collectInvoice(account, invoice, behavior, 'past_due')
  }
  return findResource(account.subscriptions, 'subscription', subscription.id)
}

/** When the trial that a request asks for ends. Throws where that is not in the future, or more than two years away. */
export function findTrialEnd(
  account: StripeAccount,
  params: { readonly trial_end?: 'now' | number; readonly trial_period_days?: number },
): number | 'now' | undefined {
  const { trial_end, trial_period_days } = params
  if (trial_end !== undefined && trial_period_days !== undefined)
    throw createInvalidRequest(
      'You can only pass one of trial_end and trial_period_days.',
      'trial_end',
      'parameters_exclusive',
    )
  const end = trial_period_days === undefined ? trial_end : account.now() + trial_period_days * 86_400
  if (typeof end !== 'number') return end
  // github.com/stripe/stripe-go/issues/93
  if (end <= account.now())
    throw createInvalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end')
  if (end > account.now() + 730 * 86_400)
    throw createInvalidRequest('Trials can be at most two years long.', 'trial_end')
  return end
}

/** It must be attached to the customer (docs.stripe.com/api/subscriptions/create#create_subscription-default_payment_method). */
export function checkPaymentMethod(account: StripeAccount, customer: string, id: string | undefined): void {
  if (id !== undefined && account.payment_methods.get(id)?.customer !== customer)
    throw createMissing('PaymentMethod', id, 'default_payment_method')
}

/** A cancelled subscription is final (github.com/fjordllc/bootcamp/issues/10390 shows the message). */
function checkEnded({ status }: Stripe.Subscription, params: Stripe.SubscriptionUpdateParams): void {
  const allowed = ['cancellation_details', 'metadata', 'expand']
  if (
    !['canceled', 'incomplete_expired'].includes(status) ||
    Object.keys(params).every((name) => allowed.includes(name))
  )
    return
  throw createInvalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
}

function changeSettings(
  account: StripeAccount,
  before: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  const pause = params.pause_collection
  const details = params.cancellation_details
  const cancelled = before.cancellation_details
  const after: Stripe.Subscription = {
    ...before,
    ...findEnd(account, before, params),
    cancellation_details: {
      comment: details?.comment === undefined ? (cancelled?.comment ?? null) : details.comment || null,
      feedback: details?.feedback === undefined ? (cancelled?.feedback ?? null) : details.feedback || null,
      feedback_option: null,
      reason: params.cancel_at_period_end === true ? 'cancellation_requested' : (cancelled?.reason ?? null),
    },
    default_payment_method: params.default_payment_method ?? before.default_payment_method,
    description: params.description === undefined ? before.description : params.description || null,
    discounts: applyDiscounts(account, before, params.discounts),
    metadata: changeMetadata(before.metadata, params.metadata),
  }
  if (pause === undefined) return after
  return {
    ...after,
    pause_collection: pause ? { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null } : null,
  }
}

function findEnd(
  account: StripeAccount,
  before: Stripe.Subscription,
  { cancel_at_period_end }: Stripe.SubscriptionUpdateParams,
): Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end' | 'canceled_at'> | undefined {
  if (cancel_at_period_end === undefined) return undefined
  if (!cancel_at_period_end) return { cancel_at: null, cancel_at_period_end: false, canceled_at: null }
  const cancel_at = Math.min(...before.items.data.map((item) => item.current_period_end))
  return { cancel_at, cancel_at_period_end: true, canceled_at: account.now() }
}

/** Credits what is left of the old period of the items that stay. */
function creditRest(account: StripeAccount, { before, credited }: ItemChange): void {
  for (const item of before.items.data) if (!credited.includes(item.id)) prorateItem(account, before, item, 'credit')
}
