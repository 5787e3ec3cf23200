import type { Stripe } from 'stripe'

/** A kind of subscription that the store does not support. */
interface Reason {
  /** Completes the sentence "The subscription is not supported, because …". */
  readonly text: string
  /** Whether a subscription is of this kind. `currency` is the currency of the store, in lower case. */
  readonly applies: (subscription: Stripe.Subscription, currency: string) => boolean
}

/** Reasons by name. No operation returns, counts or changes a subscription to which a reason applies. */
export const reasons = {
  currency: {
    text: 'it is in another currency than the store',
    applies: ({ currency }, own) => currency !== own,
  },
  // The amount of such a price is in its `currency_options`, which a subscription does not contain.
  priceCurrency: {
    text: 'a price is in another currency than the subscription',
    applies: ({ currency, items }) => items.data.some(({ price }) => price.currency !== currency),
  },
  price: {
    text: 'it has a price that is not a fixed amount per unit',
    applies: ({ items }) => !items.data.every(({ price }) => isPerUnit(price)),
  },
  periods: {
    text: 'its items have different intervals or billing dates',
    applies: ({ items }) => new Set(items.data.map(periodOf)).size > 1,
  },
  schedule: { text: 'it has a schedule', applies: ({ schedule }) => schedule !== null },
  prepaid: {
    text: 'it has prepaid periods or a trial offer',
    applies: ({ billing_schedules, items }) =>
      billing_schedules.length > 0 || items.data.some(({ current_trial }) => current_trial !== null),
  },
  early: {
    text: 'it can be billed before its next billing date',
    applies: ({ billing_thresholds, pending_invoice_item_interval, items }) =>
      [billing_thresholds, pending_invoice_item_interval].some((setting) => setting !== null) ||
      items.data.some((item) => item.billing_thresholds !== null),
  },
  // Stripe replaces its items when the payment succeeds.
  pendingUpdate: { text: 'an update waits for its payment', applies: ({ pending_update }) => pending_update !== null },
  managed: {
    text: 'Stripe is its seller (Managed Payments)',
    applies: ({ managed_payments }) => managed_payments?.enabled === true,
  },
  partial: { text: 'Stripe returns only some of its items', applies: ({ items }) => items.has_more },
  paused: {
    text: 'it is paused, or its collection is paused',
    applies: ({ pause_collection, status }) => pause_collection !== null || status === 'paused',
  },
  incomplete: {
    text: 'its first payment is incomplete',
    applies: ({ status }) => status === 'incomplete' || status === 'incomplete_expired',
  },
  unpaid: { text: 'it is unpaid', applies: ({ status }) => status === 'unpaid' },
  // In this mode, a change from a price of 0 to another price starts a new billing period immediately.
  free: {
    text: 'it is in classic billing mode, and all its prices are 0',
    applies: ({ billing_mode, items }) =>
      billing_mode.type === 'classic' && items.data.every(({ price }) => Number(price.unit_amount_decimal) === 0),
  },
  // A delay is a trial, so its end would have the same effect.
  trialEnd: {
    text: 'the end of a trial does not move its billing date, or can cancel or pause it',
    applies: ({ trial_settings }) => {
      const { billing_cycle_anchor = null, missing_payment_method = 'create_invoice' } =
        trial_settings?.end_behavior ?? {}
      return billing_cycle_anchor === 'unchanged' || missing_payment_method !== 'create_invoice'
    },
  },
  dispute: {
    text: 'it ended in a dispute',
    applies: ({ cancellation_details }) => cancellation_details?.reason === 'payment_disputed',
  },
  connect: {
    text: 'it pays to a connected account, or invoices for it',
    applies: ({ transfer_data, application_fee_percent, on_behalf_of, invoice_settings, automatic_tax }) =>
      [transfer_data, application_fee_percent, on_behalf_of].some((setting) => setting !== null) ||
      [invoice_settings.issuer, automatic_tax.liability].some((account) => account?.type === 'account'),
  },
} as const satisfies Readonly<Record<string, Reason>>

/** Returns the reason why the store does not support a subscription, if any. */
export function unsupportedReason(subscription: Stripe.Subscription, currency: string): string | undefined {
  return Object.values<Reason>(reasons).find(({ applies }) => applies(subscription, currency))?.text
}

/** Whether a price is a fixed amount per unit. Tiered, metered and transformed prices have no amount that is known in advance. */
export function isPerUnit({
  billing_scheme,
  recurring,
  transform_quantity,
  custom_unit_amount,
}: Stripe.Price): boolean {
  const isLicensed = recurring === null || recurring.usage_type === 'licensed'
  return billing_scheme === 'per_unit' && isLicensed && transform_quantity === null && custom_unit_amount === null
}

function periodOf({ price: { recurring }, current_period_end }: Stripe.SubscriptionItem): string {
  return `${recurring?.interval_count} ${recurring?.interval} ${current_period_end}`
}
