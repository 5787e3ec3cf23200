import { Stripe } from 'stripe'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, idOf, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, requireParam } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'

/** Prices (docs.stripe.com/api/prices). The amount of a price cannot be changed. */
export const priceHandlers = {
  'GET /v1/prices': (account, params) =>
    listPage('/v1/prices', account.prices, params, ({ active, currency, product, type }) =>
      matches(params, { active, currency, product, type }),
    ),
  'POST /v1/prices': (account, params) => createPrice(account, params, 'product'),
  'POST /v1/prices/{id}': (account, params, id) => {
    const before = findResource(account.prices, 'price', id)
    const after = { ...before, active: params.active ?? before.active }
    account.prices.set(id, after)
    // Updates the copies of the price in subscription items.
    // See docs.stripe.com/api/subscription_items/object#subscription_item_object-price.
    for (const subscription of account.subscriptions.values()) {
      const data = subscription.items.data.map((item) => (item.price.id === id ? { ...item, price: after } : item))
      account.subscriptions.set(subscription.id, { ...subscription, items: { ...subscription.items, data } })
    }
    return after
  },
  'POST /v1/tax_rates/{id}': (account, { active }, id) => {
    const before = findResource(account.tax_rates, 'tax rate', id)
    return save(account.tax_rates, { ...before, active: active ?? before.active })
  },
  'POST /v1/tax_rates': (account, { display_name, inclusive, percentage }) => {
    const fields = { id: account.createId('txr'), active: true, created: account.now() }
    const rate = { ...fields, display_name, inclusive, percentage }
    return save(account.tax_rates, createResource<Stripe.TaxRate>({ object: 'tax_rate', ...rate }))
  },
} satisfies Partial<Handlers>

/** Parameters for creating a price, either in `POST /v1/prices` or in the `price_data` of other requests. */
export type PriceData = Pick<
  Stripe.PriceCreateParams,
  'active' | 'currency' | 'product' | 'recurring' | 'tax_behavior' | 'unit_amount' | 'unit_amount_decimal'
>

/** Creates a price. `param` is the name of the parameter that contains the product id. */
export function createPrice(account: StripeAccount, data: PriceData, param: string): Stripe.Price {
  const { recurring } = data
  const product = requireParam(data.product, param)
  findResource(account.products, 'product', product, param)
  const decimal = Number(requireParam(data.unit_amount_decimal ?? data.unit_amount, 'unit_amount'))
  const price = createResource<Stripe.Price>({
    object: 'price',
    id: account.createId('price'),
    active: data.active ?? true,
    billing_scheme: 'per_unit',
    created: account.now(),
    currency: data.currency,
    custom_unit_amount: null,
    metadata: {},
    product,
    recurring: recurring
      ? { interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed', ...recurring }
      : null,
    tax_behavior: data.tax_behavior ?? 'unspecified',
    transform_quantity: null,
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: Number.isInteger(decimal) ? decimal : null,
    unit_amount_decimal: Stripe.Decimal.from(String(decimal)),
  })
  return save(account.prices, price)
}

/** Returns a price for a subscription item. Throws if the price is inactive or not recurring. */
export function findRecurringPrice(account: StripeAccount, id: string, param: string): Stripe.Price {
  const price = findResource(account.prices, 'price', id, param)
  if (!price.active) throw createInvalidRequest('This field only accepts active prices.', param)
  // Source: github.com/stripe/stripe-go/issues/1031
  if (account.products.get(idOf(price.product))?.active === false)
    throw createInvalidRequest(
      'The product is marked as inactive, and thus no new subscriptions can be created.',
      param,
    )
  if (price.recurring === null)
    throw createInvalidRequest('This field only accepts prices with `type=recurring`.', param)
  return price
}
