import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { renewalOf } from '../billing/bill-due.ts'
import { changeItems, checkItems, createItem, findTaxRates } from '../billing/change-items.ts'
import { startCycle, startTrial } from '../billing/start-cycle.ts'
import { type Handlers, list } from '../handler.ts'
import { changeMetadata, findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing, createUnsupported, requireParam } from '../stripe-failure.ts'

const discountParams = 'discounts discounts.coupon discounts.discount discounts.promotion_code'
const itemParams = `${discountParams.replaceAll('discounts', 'items.discounts')} items.metadata items.price items.quantity items.tax_rates`

/** Subscriptions (docs.stripe.com/api/subscriptions). */
export const subscriptionHandlers: Handlers = {
  'GET /v1/subscriptions': list(
    '/v1/subscriptions',
    ({ subscriptions }) => subscriptions,
    'customer',
    'status',
    // By default, omits cancelled subscriptions (docs.stripe.com/api/subscriptions/list).
    ({ status }, { status: wanted }: Stripe.SubscriptionListParams) =>
      wanted === 'all' || (wanted === undefined ? status !== 'canceled' : status === wanted),
  ),
  'GET /v1/subscriptions/{id}': {
    supported: '',
    run: (account, _, id) => findResource(account.subscriptions, 'subscription', id),
  },
  'POST /v1/subscriptions': {
    supported: `billing_mode.type currency customer default_tax_rates ${discountParams} ${itemParams} invoice_settings.footer invoice_settings.issuer.type metadata off_session payment_settings.payment_method_types payment_settings.save_default_payment_method proration_behavior trial_end`,
    run: createSubscription,
  },
  'POST /v1/subscriptions/{id}': {
    supported: `billing_cycle_anchor.type cancel_at cancel_at_period_end ${discountParams} ${itemParams} items.deleted items.id metadata off_session pause_collection.behavior payment_behavior proration_behavior trial_end`,
    run: updateSubscription,
  },
  'DELETE /v1/subscriptions/{id}': { supported: '', run: cancelSubscription },
}

function createSubscription(account: StripeAccount, params: Stripe.SubscriptionCreateParams): Stripe.Subscription {
  const customer = findResource(account.customers, 'customer', requireParam(params.customer, 'customer'), 'customer').id
  const now = account.now()
  const id = account.createId('sub')
  const owner = { id, billing_cycle_anchor: now, customer, status: 'active', trial_end: null } as const
  const data = requireParam(params.items, 'items').map((item, index) =>
    createItem(account, owner, item, `items[${index}]`),
  )
  checkItems(data, params.currency)
  const { payment_settings, trial_end } = params
  const begun = save(account.subscriptions, {
    object: 'subscription',
    ...{ application_fee_percent: null, on_behalf_of: null, transfer_data: null },
    ...{ billing_thresholds: null, pending_invoice_item_interval: null, pending_update: null },
    ...{ billing_schedules: [], schedule: null, pause_collection: null },
    ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null, cancellation_details: null, ended_at: null },
    ...{ days_until_due: null, default_payment_method: null, default_source: null, latest_invoice: null },
    ...{ description: null, trial_end: null, trial_settings: null, trial_start: null },
    id,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    // Default since API version 2025-09-30.clover (docs.stripe.com/billing/subscriptions/billing-mode).
    billing_mode: { flexible: null, type: params.billing_mode?.type ?? 'flexible' },
    collection_method: 'charge_automatically',
    created: now,
    currency: data[0]?.price.currency ?? '',
    customer,
    default_tax_rates: findTaxRates(account, params.default_tax_rates || []),
    discounts: applyDiscounts(account, { id, customer, discounts: [] }, params.discounts),
    invoice_settings: {
      ...{ account_tax_ids: null, custom_fields: null, description: null },
      footer: params.invoice_settings?.footer ?? null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: changeMetadata({}, params.metadata),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: payment_settings?.payment_method_types || null,
      save_default_payment_method: payment_settings?.save_default_payment_method ?? null,
    },
    start_date: now,
    status: 'active',
  })
  if (trial_end === 'now') throw createUnsupported('trial_end=now for a new subscription')
  return trial_end === undefined
    ? startCycle(account, begun, undefined)
    : startTrial(account, begun, checkTrialEnd(account, trial_end), true)
}

/**
 * Cancels a subscription and stops the collection of its draft invoices (docs.stripe.com/api/subscriptions/cancel).
 * Throws a 404 failure if the subscription is already cancelled.
 */
function cancelSubscription(account: StripeAccount, _: object, id: string): Stripe.Subscription {
  const before = findResource(account.subscriptions, 'subscription', id)
  if (before.status === 'canceled') throw createMissing('subscription', id)
  const now = account.now()
  for (const invoice of account.invoices.values()) {
    if (invoice.parent?.subscription_details?.subscription === id && invoice.status === 'draft')
      save(account.invoices, { ...invoice, automatically_finalizes_at: null })
  }
  const details = { comment: null, feedback: null, feedback_option: null, reason: 'cancellation_requested' } as const
  const ended = { canceled_at: now, cancellation_details: details, ended_at: now, status: 'canceled' } as const
  return save(account.subscriptions, { ...before, ...ended })
}

/** Updates a subscription and bills it if a new period starts (docs.stripe.com/api/subscriptions/update). */
function updateSubscription(
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
function checkTrialEnd(account: StripeAccount, end: number): number {
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
