import type { ParsedQs } from 'qs'
import { createInvalidRequest, createUnsupported } from './stripe-failure.ts'
import type { StripeRequestName, StripeRequests } from './stripe-requests.ts'

const page = 'limit starting_after'
const discounts = 'discounts discounts.coupon discounts.discount discounts.promotion_code'
const items = `${discounts.replaceAll('discounts', 'items.discounts')} items.metadata items.price items.quantity items.tax_rates`
const priceData =
  'price_data.currency price_data.product price_data.tax_behavior price_data.unit_amount price_data.unit_amount_decimal'

/** Supported parameters besides `expand`. Paths omit list indexes: `items.price` stands for `items[0][price]`. */
const supported: Readonly<Record<StripeRequestName, string>> = {
  'POST /v1/coupons':
    'amount_off applies_to.products currency currency_options.eur.amount_off duration id name percent_off',
  'DELETE /v1/coupons/{id}': '',
  'GET /v1/customers': `${page} email test_clock`,
  'GET /v1/customers/search': 'limit query',
  'POST /v1/customers': 'email invoice_settings.default_payment_method metadata payment_method test_clock',
  'POST /v1/customers/{id}': 'description email invoice_settings.default_payment_method metadata',
  'DELETE /v1/invoiceitems/{id}': '',
  'GET /v1/invoiceitems': `${page} customer pending`,
  'POST /v1/invoiceitems': `customer description ${discounts} metadata ${priceData} quantity subscription tax_rates`,
  'POST /v1/invoiceitems/{id}': `description ${discounts} metadata ${priceData} quantity`,
  'GET /v1/invoices': `${page} customer subscription`,
  'POST /v1/invoices/create_preview': 'customer subscription',
  'POST /v1/payment_methods/{id}/attach': 'customer',
  'GET /v1/prices': `${page} active currency product type`,
  'POST /v1/prices':
    'active currency product recurring.interval recurring.interval_count recurring.meter recurring.usage_type tax_behavior unit_amount unit_amount_decimal',
  'POST /v1/prices/{id}': 'active',
  'GET /v1/products': `${page} active ids`,
  'POST /v1/products': 'description id metadata name',
  'POST /v1/products/{id}': 'active default_price',
  'GET /v1/promotion_codes': `${page} active code`,
  'POST /v1/promotion_codes':
    'code promotion.coupon promotion.type restrictions.first_time_transaction restrictions.minimum_amount restrictions.minimum_amount_currency',
  'POST /v1/promotion_codes/{id}': 'active',
  'POST /v1/test_helpers/test_clocks': 'frozen_time name',
  'GET /v1/test_helpers/test_clocks/{id}': '',
  'POST /v1/test_helpers/test_clocks/{id}/advance': 'frozen_time',
  'DELETE /v1/test_helpers/test_clocks/{id}': '',
  'POST /v1/tax_rates/{id}': 'active',
  'POST /v1/tax_rates': 'display_name inclusive percentage',
  'DELETE /v1/subscriptions/{id}': '',
  'GET /v1/subscriptions': `${page} customer status`,
  'GET /v1/subscriptions/{id}': '',
  'POST /v1/subscriptions': `billing_mode.type currency customer default_payment_method default_tax_rates description ${discounts} ${items} invoice_settings.description invoice_settings.footer invoice_settings.issuer.type metadata off_session payment_settings.payment_method_types payment_settings.save_default_payment_method proration_behavior trial_end`,
  'POST /v1/subscriptions/{id}': `billing_cycle_anchor.type cancel_at cancel_at_period_end ${discounts} ${items} items.deleted items.id metadata off_session pause_collection.behavior payment_behavior proration_behavior trial_end`,
}

/** Names of numbers. Except for percentages, they are integers, for example amounts in minor units. */
const numbers = new Set(
  'amount_off cancel_at frozen_time interval_count limit minimum_amount percent_off percentage quantity trial_end unit_amount'.split(
    ' ',
  ),
)
const flags = new Set(
  'active cancel_at_period_end deleted first_time_transaction inclusive off_session pending'.split(' '),
)
/** Texts that can replace a number. */
const words = new Set(['', 'min_period_end', 'now'])

/**
 * Converts parameters, which are received as text, to their types in the `stripe` package. Throws a 501 failure for a parameter that the
 * stand-in does not support, and a 400 failure for a value of another type (docs.stripe.com/error-codes).
 */
export function readParams<Name extends StripeRequestName>(name: Name, sent: ParsedQs): StripeRequests[Name] {
  const known = new Set([...supported[name].split(' '), 'expand'])

  function read(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((each) => read(each, path))
    if (typeof value === 'object' && value !== null && !path.endsWith('metadata')) {
      const inner = Object.entries(value)
      return Object.fromEntries(inner.map(([key, each]) => [key, read(each, path === '' ? key : `${path}.${key}`)]))
    }
    if (!known.has(path)) throw createUnsupported(`${path} of ${name}`)
    return typeof value === 'string' ? readText(value, path) : value
  }

  // oxlint-disable-next-line typescript/consistent-type-assertions -- the supported parameters are those of this type
  return read(sent, '') as StripeRequests[Name]
}

function readText(text: string, path: string): boolean | number | string {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (flags.has(name)) return text === 'true'
  if (!numbers.has(name) || words.has(text)) return text
  const number = Number(text)
  if (!Number.isSafeInteger(number) && !name.startsWith('percent'))
    throw createInvalidRequest(`Invalid integer: ${text}`, path, 'parameter_invalid_integer')
  return number
}
