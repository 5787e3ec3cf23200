import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { renewalOf } from '../billing/bill-due.ts'
import { changeItems } from '../billing/change-items.ts'
import { startCycle, startTrial } from '../billing/start-cycle.ts'
import { changeMetadata } from '../change-metadata.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createUnsupported } from '../stripe-failure.ts'

/** Updates a subscription and bills it if a new period starts (docs.stripe.com/api/subscriptions/update). */
export function updateSubscription(
  account: StripeAccount,
  params: Stripe.SubscriptionUpdateParams,
  id: string,
): Stripe.Subscription {
  const before = findResource(account.subscriptions, 'subscription', id)
  checkEnded(before, params)
  const data = changeItems(account, before, params.items ?? [])
  const changed: Stripe.Subscription = {
    ...before,
    ...findEnd(account, before, params),
    discounts: applyDiscounts(account, before, params.discounts),
    items: { ...before.items, data },
    metadata: changeMetadata(before.metadata, params.metadata),
    // Renewals continue, but their invoices are not collected (docs.stripe.com/billing/subscriptions/pause-payment).
    pause_collection: params.pause_collection
      ? { resumes_at: null, ...params.pause_collection }
      : before.pause_collection,
  }
  checkProration(before, changed, params)
  account.subscriptions.set(id, changed)
  const { trial_end, payment_behavior } = params
  if (typeof trial_end === 'number') return startTrial(account, changed, checkTrialEnd(account, trial_end))
  const isTrialing = changed.status === 'trialing'
  if (trial_end === 'now' && isTrialing)
    return startCycle(account, { ...changed, trial_end: account.now() }, payment_behavior)
  // Ignores the anchor during a trial (docs.stripe.com/api/subscriptions/object#subscription_object-trial_end).
  return params.billing_cycle_anchor?.type === 'now' && !isTrialing
    ? startCycle(account, changed, payment_behavior)
    : changed
}

/** Returns `end` in seconds since 1970. Throws if the time is not in the future, or is more than 730 days ahead. */
export function checkTrialEnd(account: StripeAccount, end: number): number {
  // Source of the message: github.com/stripe/stripe-go/issues/93
  if (end <= account.now())
    throw createInvalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end')
  if (end > account.now() + 730 * 86_400)
    throw createInvalidRequest('Trials can be at most two years long.', 'trial_end')
  return end
}

/** Throws for a change to a cancelled subscription. Source of the message: github.com/fjordllc/bootcamp/issues/10390 */
function checkEnded({ status }: Stripe.Subscription, params: Stripe.SubscriptionUpdateParams): void {
  if (status !== 'canceled' || Object.keys(params).every((name) => ['metadata', 'expand'].includes(name))) return
  throw createInvalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
}

/**
 * Throws for a change that Stripe prorates by default (docs.stripe.com/billing/subscriptions/prorations), because the
 * stand-in does not support prorations. Stripe does not prorate during a trial.
 */
function checkProration(
  before: Stripe.Subscription,
  after: Stripe.Subscription,
  { billing_cycle_anchor, proration_behavior, trial_end }: Stripe.SubscriptionUpdateParams,
): void {
  if (before.status === 'trialing') return
  const pricesOf = ({ items }: Stripe.Subscription) =>
    items.data.map(({ id, price, quantity }) => [id, price.id, quantity])
  const isChanged = JSON.stringify(pricesOf(before)) !== JSON.stringify(pricesOf(after))
  const isMoved = billing_cycle_anchor !== undefined || trial_end !== undefined
  if (proration_behavior !== 'none' && (isChanged || isMoved))
    throw createUnsupported('prorations; send proration_behavior=none')
  const intervals = new Map(before.items.data.map(({ id, price }) => [id, intervalOf(price)]))
  const isSame = ({ id, price }: Stripe.SubscriptionItem) =>
    (intervals.get(id) ?? intervalOf(price)) === intervalOf(price)
  if (!after.items.data.every(isSame)) throw createUnsupported('a changed interval of an item')
}

function intervalOf({ recurring }: Stripe.Price): string {
  return `${recurring?.interval_count} ${recurring?.interval}`
}

function findEnd(
  account: StripeAccount,
  before: Stripe.Subscription,
  { cancel_at, cancel_at_period_end }: Stripe.SubscriptionUpdateParams,
): Partial<Stripe.Subscription> {
  const createEnd = (at: number | null, isPeriodEnd: boolean, reason: 'cancellation_requested' | null) => ({
    cancel_at: at,
    cancel_at_period_end: isPeriodEnd,
    canceled_at: at === null ? null : account.now(),
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  })
  if (cancel_at === '' || cancel_at === null || cancel_at_period_end === false) return createEnd(null, false, null)
  // Sets a fixed term (docs.stripe.com/billing/subscriptions/cancel#cancel-at-a-custom-date).
  if (typeof cancel_at === 'number') return createEnd(cancel_at, false, null)
  // Has the effect of a cancellation in the Customer Portal in flexible billing mode.
  // See docs.stripe.com/billing/subscriptions/billing-mode/compare#scheduled-subscription-cancellation.
  if (typeof cancel_at === 'string') return createEnd(renewalOf(before), false, 'cancellation_requested')
  return cancel_at_period_end ? createEnd(renewalOf(before), true, 'cancellation_requested') : {}
}
