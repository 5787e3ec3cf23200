import type { Stripe } from 'stripe'
import { applyDiscounts } from '../billing/apply-discounts.ts'
import { checkItems, createItem, findTaxRates } from '../billing/change-items.ts'
import { startCycle, startTrial } from '../billing/start-cycle.ts'
import { changeMetadata } from '../change-metadata.ts'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createMissing, createUnsupported, requireParam } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'
import { checkTrialEnd, updateSubscription } from './update-subscription.ts'

/** Subscriptions (docs.stripe.com/api/subscriptions). */
export const subscriptionHandlers = {
  'GET /v1/subscriptions': (account, { status: wanted, ...params }) =>
    listPage(
      '/v1/subscriptions',
      account.subscriptions,
      params,
      ({ customer, status }) => matches(params, { customer }) && isListed(status, wanted),
    ),
  'GET /v1/subscriptions/{id}': (account, _, id) => findResource(account.subscriptions, 'subscription', id),
  'POST /v1/subscriptions': createSubscription,
  'POST /v1/subscriptions/{id}': updateSubscription,
  'DELETE /v1/subscriptions/{id}': cancelSubscription,
} satisfies Partial<Handlers>

/** Applies the status filter. By default, omits cancelled subscriptions (docs.stripe.com/api/subscriptions/list). */
function isListed(status: string, wanted: string | undefined): boolean {
  return wanted === 'all' || (wanted === undefined ? status !== 'canceled' : status === wanted)
}

function createSubscription(account: StripeAccount, params: Stripe.SubscriptionCreateParams): Stripe.Subscription {
  const customer = findResource(account.customers, 'customer', requireParam(params.customer, 'customer'), 'customer').id
  const items = requireParam(params.items, 'items')
  const method = params.default_payment_method
  // The payment method must be attached to the customer.
  // See docs.stripe.com/api/subscriptions/create#create_subscription-default_payment_method.
  if (method !== undefined && account.payment_methods.get(method)?.customer !== customer)
    throw createMissing('PaymentMethod', method, 'default_payment_method')
  const now = account.now()
  const id = account.createId('sub')
  const owner = { id, billing_cycle_anchor: now, customer, status: 'active', trial_end: null } as const
  const data = items.map((item, index) => createItem(account, owner, item, `items[${index}]`))
  checkItems(data, params.currency)
  const begun = createResource<Stripe.Subscription>({
    object: 'subscription',
    ...{ application_fee_percent: null, on_behalf_of: null, transfer_data: null },
    ...{ billing_thresholds: null, pending_invoice_item_interval: null, pending_update: null },
    ...{ billing_schedules: [], schedule: null, pause_collection: null },
    ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null, cancellation_details: null, ended_at: null },
    ...{ days_until_due: null, default_source: null, latest_invoice: null },
    ...{ trial_end: null, trial_settings: null, trial_start: null },
    id,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    // Default since API version 2025-09-30.clover (docs.stripe.com/billing/subscriptions/billing-mode).
    billing_mode: { flexible: null, type: params.billing_mode?.type ?? 'flexible' },
    collection_method: 'charge_automatically',
    created: now,
    currency: data[0]?.price.currency ?? '',
    customer,
    default_payment_method: method ?? null,
    default_tax_rates: findTaxRates(account, params.default_tax_rates || []),
    description: params.description ?? null,
    discounts: applyDiscounts(account, { id, customer, discounts: [] }, params.discounts),
    invoice_settings: {
      ...{ account_tax_ids: null, custom_fields: null, description: null, footer: null },
      issuer: { type: 'self' },
      ...(params.invoice_settings?.footer !== undefined && { footer: params.invoice_settings.footer }),
    },
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: changeMetadata({}, params.metadata),
    payment_settings: {
      payment_method_options: null,
      payment_method_types: params.payment_settings?.payment_method_types || null,
      save_default_payment_method: params.payment_settings?.save_default_payment_method ?? null,
    },
    start_date: now,
    status: 'active',
  })
  save(account.subscriptions, begun)
  const { trial_end } = params
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
