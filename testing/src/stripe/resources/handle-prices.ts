import { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Prices (docs.stripe.com/api/prices): what they cost never changes after they were made. */
export const priceHandlers = {
  'GET /v1/prices': (account, params) =>
    listPage(
      '/v1/prices',
      newestFirst(account.prices).filter(
        (price) =>
          (params.active === undefined || price.active === params.active) &&
          (params.currency === undefined || price.currency === params.currency) &&
          (params.product === undefined || idOf(price.product) === params.product) &&
          (params.type === undefined || price.type === params.type) &&
          (params.lookup_keys === undefined || params.lookup_keys.includes(price.lookup_key ?? '')) &&
          (params.recurring?.interval === undefined || price.recurring?.interval === params.recurring.interval) &&
          isInRange(price.created, params.created),
      ),
      params,
    ),
  'GET /v1/prices/{id}': (account, _, id) => findResource(account.prices, 'price', id),
  'POST /v1/prices': (account, params) => {
    if (params.product === undefined)
      throw createInvalidRequest('Missing required param: product.', 'product', 'parameter_missing')
    return createPrice(account, { ...params, product: params.product })
  },
  'POST /v1/prices/{id}': (account, params, id) => {
    const before = findResource(account.prices, 'price', id)
    const after = {
      ...before,
      active: params.active ?? before.active,
      lookup_key: params.lookup_key ?? before.lookup_key,
      metadata: changeMetadata(before.metadata, params.metadata),
      nickname: params.nickname ?? before.nickname,
    }
    account.prices.set(id, after)
    // Items hold the price itself (docs.stripe.com/api/subscription_items/object#subscription_item_object-price).
    for (const subscription of account.subscriptions.values()) {
      const data = subscription.items.data.map((item) => (item.price.id === id ? { ...item, price: after } : item))
      account.subscriptions.set(subscription.id, { ...subscription, items: { ...subscription.items, data } })
    }
    return after
  },
} satisfies Partial<Handlers>

/** What a price is made from, in `POST /v1/prices` and in the `price_data` of other requests. */
export interface PriceData extends Pick<
  Stripe.PriceCreateParams,
  'active' | 'currency' | 'lookup_key' | 'metadata' | 'nickname' | 'recurring' | 'unit_amount'
> {
  readonly product: string
}

/** Makes a price. `param` is where its parameters are: `price_data[` for those inside another request. */
export function createPrice(account: StripeAccount, data: PriceData, param = ''): Stripe.Price {
  findResource(account.products, 'product', data.product, param === '' ? 'product' : `${param}[product]`)
  const { recurring, unit_amount } = data
  if (unit_amount === undefined)
    throw createInvalidRequest('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing')
  // Prices are in the smallest unit of their currency, named in lower case (docs.stripe.com/currencies).
  if (!/^[a-z]{3}$/.test(data.currency)) throw createInvalidRequest(`Invalid currency: ${data.currency}.`, 'currency')
  const price: Stripe.Price = {
    id: account.createId('price'),
    object: 'price',
    active: data.active ?? true,
    billing_scheme: 'per_unit',
    created: account.now(),
    currency: data.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: data.lookup_key ?? null,
    metadata: changeMetadata({}, data.metadata),
    nickname: data.nickname ?? null,
    product: data.product,
    recurring:
      recurring === undefined
        ? null
        : {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            trial_period_days: null,
            usage_type: 'licensed',
          },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount,
    unit_amount_decimal: Stripe.Decimal.from(unit_amount),
  }
  account.prices.set(price.id, price)
  return price
}

/** A price that can be billed every period, as a subscription's item needs it. Throws where it cannot. */
export function findRecurringPrice(account: StripeAccount, id: string, param: string): Stripe.Price {
  const price = findResource(account.prices, 'price', id, param)
  if (!price.active)
    throw createInvalidRequest('The price specified is inactive. This field only accepts active prices.', param)
  if (price.recurring === null)
    throw createInvalidRequest(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    )
  return price
}
