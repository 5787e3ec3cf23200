import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { checkItems, createItem } from '../billing/change-items.ts'
import { startCycle, startTrial } from '../billing/start-cycle.ts'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createMissing } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'
import { checkPaymentMethod, findTrialEnd, updateSubscription } from './update-subscription.ts'

/** Subscriptions (docs.stripe.com/api/subscriptions). */
export const subscriptionHandlers = {
  'GET /v1/subscriptions': (account, params) =>
    listPage(
      '/v1/subscriptions',
      newestFirst(account.subscriptions).filter(
        (each) =>
          (params.customer === undefined || each.customer === params.customer) &&
          hasStatus(each, params.status) &&
          (params.price === undefined || each.items.data.some(({ price }) => price.id === params.price)) &&
          isInRange(each.created, params.created),
      ),
      params,
    ),
  'GET /v1/subscriptions/{id}': (account, _, id) => findResource(account.subscriptions, 'subscription', id),
  'POST /v1/subscriptions': createSubscription,
  'POST /v1/subscriptions/{id}': updateSubscription,
  'DELETE /v1/subscriptions/{id}': cancelSubscription,
} satisfies Partial<Handlers>

/** "If no value is supplied, all subscriptions that have not been canceled are returned" (docs.stripe.com/api/subscriptions/list). */
function hasStatus({ status }: Stripe.Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true
  if (wanted === undefined) return status !== 'canceled' && status !== 'incomplete_expired'
  return wanted === 'ended' ? ['canceled', 'incomplete_expired'].includes(status) : status === wanted
}

function createSubscription(account: StripeAccount, params: Stripe.SubscriptionCreateParams): Stripe.Subscription {
  if (params.customer === undefined)
    throw createInvalidRequest('Missing required param: customer.', 'customer', 'parameter_missing')
  if (params.items === undefined)
    throw createInvalidRequest('Missing required param: items.', 'items', 'parameter_missing')
  const customer = findResource(account.customers, 'customer', params.customer, 'customer').id
  checkPaymentMethod(account, customer, params.default_payment_method)
  const now = account.now()
  const id = account.createId('sub')
  const data = params.items.map((item, index) =>
    createItem(
      account,
      { id, billing_cycle_anchor: now, customer, status: 'active', trial_end: null },
      item,
      `items[${index}]`,
    ),
  )
  checkItems(data)
  const begun: Stripe.Subscription = {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    // The default since 2025-09-30.clover (docs.stripe.com/billing/subscriptions/billing-mode).
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: data[0]?.price.currency ?? '',
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: params.default_payment_method ?? null,
    default_source: null,
    default_tax_rates: [],
    description: params.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: changeMetadata({}, params.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  }
  account.subscriptions.set(id, begun)
  const discounted = { ...begun, discounts: applyDiscounts(account, begun, params.discounts) }
  const trialEnd = findTrialEnd(account, params)
  const billed =
    typeof trialEnd === 'number'
      ? startTrial(account, discounted, trialEnd, 'subscription_create')
      : startCycle(account, discounted, 'subscription_create', params.payment_behavior ?? 'allow_incomplete')
  return params.cancel_at_period_end === true
    ? updateSubscription(account, { cancel_at_period_end: true }, billed.id)
    : billed
}

/**
 * "Cancels a customer's subscription immediately. By default, Stripe stops automatic collection of all finalized invoices"
 * (docs.stripe.com/api/subscriptions/cancel). One that is cancelled is not found any more by this request.
 */
function cancelSubscription(
  account: StripeAccount,
  params: Stripe.SubscriptionCancelParams,
  id: string,
): Stripe.Subscription {
  const before = findResource(account.subscriptions, 'subscription', id)
  if (['canceled', 'incomplete_expired'].includes(before.status)) throw createMissing('subscription', id)
  const now = account.now()
  const details = params.cancellation_details
  const after: Stripe.Subscription = {
    ...before,
    canceled_at: now,
    cancellation_details: {
      comment: details?.comment || null,
      feedback: details?.feedback || null,
      feedback_option: null,
      reason: 'cancellation_requested',
    },
    ended_at: now,
    status: 'canceled',
  }
  account.subscriptions.set(id, after)
  for (const invoice of account.invoices.values()) {
    if (invoice.parent?.subscription_details?.subscription !== id || invoice.status === 'paid') continue
    account.invoices.set(invoice.id, {
      ...invoice,
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    })
  }
  return after
}
