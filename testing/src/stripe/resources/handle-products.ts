import { Stripe } from 'stripe'
import { change, type Handlers, list } from '../handler.ts'
import { changeMetadata, findResource, idOf, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, requireParam } from '../stripe-failure.ts'

/** Products (docs.stripe.com/api/products), prices (docs.stripe.com/api/prices) and tax rates (docs.stripe.com/api/tax_rates). */
export const productHandlers: Handlers = {
  'GET /v1/products': list(
    '/v1/products',
    ({ products }) => products,
    'active',
    'ids',
    ({ id }, { ids = [id] }: Stripe.ProductListParams) => ids.includes(id),
  ),
  'POST /v1/products': {
    supported: 'description id metadata name',
    run: (account, { id, description, metadata, name }: Stripe.ProductCreateParams) =>
      save(account.products, {
        object: 'product',
        id: id ?? account.createId('prod'),
        active: true,
        created: account.now(),
        description: description ?? null,
        images: [],
        metadata: changeMetadata({}, metadata),
        name,
      }),
  },
  'POST /v1/products/{id}': change(({ products }) => products, 'product', 'active default_price'),
  'GET /v1/prices': list('/v1/prices', ({ prices }) => prices, 'active currency product type'),
  'POST /v1/prices': {
    supported:
      'currency product recurring.interval recurring.interval_count recurring.meter recurring.usage_type tax_behavior unit_amount unit_amount_decimal',
    run: (account, params: Stripe.PriceCreateParams) => createPrice(account, params, 'product'),
  },
  'POST /v1/prices/{id}': {
    supported: 'active',
    run: (account, { active }: Stripe.PriceUpdateParams, id) => {
      const before = findResource(account.prices, 'price', id)
      const after = save(account.prices, { ...before, active: active ?? before.active })
      // Updates the copies of the price in subscription items.
      // See docs.stripe.com/api/subscription_items/object#subscription_item_object-price.
      for (const subscription of account.subscriptions.values()) {
        const data = subscription.items.data.map((item) => (item.price.id === id ? { ...item, price: after } : item))
        account.subscriptions.set(subscription.id, { ...subscription, items: { ...subscription.items, data } })
      }
      return after
    },
  },
  'POST /v1/tax_rates/{id}': change(({ tax_rates }) => tax_rates, 'tax rate', 'active'),
  'POST /v1/tax_rates': {
    supported: 'display_name inclusive percentage',
    run: (account, params: Pick<Stripe.TaxRateCreateParams, 'display_name' | 'inclusive' | 'percentage'>) => {
      const created = { id: account.createId('txr'), active: true, created: account.now() }
      return save(account.tax_rates, { object: 'tax_rate', ...created, ...params })
    },
  },
}

/** Parameters for creating a price, either in `POST /v1/prices` or in the `price_data` of other requests. */
export type PriceData = Pick<
  Stripe.PriceCreateParams,
  'active' | 'currency' | 'product' | 'recurring' | 'tax_behavior' | 'unit_amount' | 'unit_amount_decimal'
>

/** Creates a price, whose amount cannot be changed. `param` is the name of the parameter that contains the product id. */
export function createPrice(account: StripeAccount, data: PriceData, param: string): Stripe.Price {
  const { active = true, currency, recurring, tax_behavior = 'unspecified' } = data
  const product = requireParam(data.product, param)
  findResource(account.products, 'product', product, param)
  const decimal = Number(requireParam(data.unit_amount_decimal ?? data.unit_amount, 'unit_amount'))
  return save(account.prices, {
    object: 'price',
    id: account.createId('price'),
    ...{ active, currency, product, tax_behavior },
    billing_scheme: 'per_unit',
    created: account.now(),
    ...{ custom_unit_amount: null, metadata: {}, transform_quantity: null },
    recurring: recurring
      ? { interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed', ...recurring }
      : null,
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: Number.isInteger(decimal) ? decimal : null,
    unit_amount_decimal: Stripe.Decimal.from(String(decimal)),
  })
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
