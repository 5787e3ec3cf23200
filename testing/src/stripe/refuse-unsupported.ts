import type { StripeRequestName } from './compile-schemas.ts'
import { createUnsupported } from './stripe-failure.ts'

const page = 'ending_before limit starting_after'
const created = 'created created.gt created.gte created.lt created.lte'
const priceData = 'currency product recurring.interval recurring.interval_count unit_amount'
const itemPriceData = priceData
  .split(' ')
  .map((name) => `items.price_data.${name}`)
  .join(' ')
const ownPriceData = priceData
  .split(' ')
  .map((name) => `price_data.${name}`)
  .join(' ')
const discounts = 'discounts discounts.coupon discounts.discount discounts.promotion_code'
const itemDiscounts = 'items.discounts items.discounts.coupon items.discounts.discount items.discounts.promotion_code'
const cancellation = 'cancellation_details.comment cancellation_details.feedback'

/** The parameters that the stand-in acts on, besides `expand`. Those of lists are without their places: `items.price`. */
const supported: Readonly<Record<StripeRequestName, string>> = {
  'GET /v1/coupons/{id}': '',
  'POST /v1/coupons':
    'amount_off currency duration duration_in_months id max_redemptions metadata name percent_off redeem_by',
  'GET /v1/customers': `${page} ${created} email`,
  'GET /v1/customers/{id}': '',
  'POST /v1/customers':
    'balance description email invoice_settings.default_payment_method metadata name payment_method phone',
  'POST /v1/customers/{id}': 'balance description email invoice_settings.default_payment_method metadata name phone',
  'DELETE /v1/invoiceitems/{id}': '',
  'GET /v1/invoiceitems': `${page} ${created} customer invoice pending`,
  'GET /v1/invoiceitems/{id}': '',
  'POST /v1/invoiceitems': `amount currency customer description discountable ${discounts} metadata period.end period.start ${ownPriceData} pricing.price quantity subscription`,
  'POST /v1/invoiceitems/{id}': `amount description ${discounts} metadata ${ownPriceData} quantity`,
  'GET /v1/invoices': `${page} ${created} customer status subscription`,
  'GET /v1/invoices/{id}': '',
  'POST /v1/invoices/create_preview': 'customer subscription',
  'POST /v1/invoices/{id}/finalize': 'auto_advance',
  'POST /v1/invoices/{id}/pay': 'off_session payment_method',
  'POST /v1/payment_methods/{id}/attach': 'customer',
  'GET /v1/prices': `${page} ${created} active currency lookup_keys product recurring.interval type`,
  'GET /v1/prices/{id}': '',
  'POST /v1/prices': `active currency lookup_key metadata nickname product recurring.interval recurring.interval_count unit_amount`,
  'POST /v1/prices/{id}': 'active lookup_key metadata nickname',
  'GET /v1/products': `${page} ${created} active ids`,
  'GET /v1/products/{id}': '',
  'POST /v1/products': 'active description id images metadata name shippable url',
  'POST /v1/products/{id}': 'active default_price description images metadata name',
  'GET /v1/promotion_codes': `${page} ${created} active code coupon customer`,
  'GET /v1/promotion_codes/{id}': '',
  'POST /v1/promotion_codes':
    'active code customer expires_at max_redemptions metadata promotion.coupon promotion.type restrictions.first_time_transaction restrictions.minimum_amount restrictions.minimum_amount_currency',
  'POST /v1/promotion_codes/{id}': 'active metadata',
  'DELETE /v1/subscription_items/{id}': 'payment_behavior proration_behavior',
  'GET /v1/subscription_items': `${page} subscription`,
  'POST /v1/subscription_items': `metadata payment_behavior price ${ownPriceData} proration_behavior quantity subscription`,
  'POST /v1/subscription_items/{id}': `metadata off_session payment_behavior price ${ownPriceData} proration_behavior quantity`,
  'DELETE /v1/subscriptions/{id}': cancellation,
  'GET /v1/subscriptions': `${page} ${created} customer price status`,
  'GET /v1/subscriptions/{id}': '',
  'POST /v1/subscriptions': `cancel_at_period_end customer default_payment_method description ${discounts} ${itemDiscounts} items.metadata items.price ${itemPriceData} items.quantity metadata off_session payment_behavior proration_behavior trial_end trial_period_days`,
  'POST /v1/subscriptions/{id}': `billing_cycle_anchor.type cancel_at_period_end ${cancellation} default_payment_method description ${discounts} ${itemDiscounts} items.deleted items.id items.metadata items.price ${itemPriceData} items.quantity metadata off_session pause_collection pause_collection.behavior pause_collection.resumes_at payment_behavior proration_behavior trial_end`,
}

/** Throws 501 for a parameter that Stripe takes and the stand-in would ignore. */
export function refuseUnsupported(name: StripeRequestName, params: object): void {
  const known = new Set([...supported[name].split(' '), 'expand'])
  for (const path of listPaths(params)) if (!known.has(path)) throw createUnsupported(`${path} of ${name}`)
}

function* listPaths(value: unknown, path = ''): Iterable<string> {
  if (Array.isArray(value) && value.some((each) => typeof each === 'object')) {
    for (const each of value) yield* listPaths(each, path)
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !path.endsWith('metadata')) {
    for (const [name, inner] of Object.entries(value)) yield* listPaths(inner, path === '' ? name : `${path}.${name}`)
  } else yield path
}
