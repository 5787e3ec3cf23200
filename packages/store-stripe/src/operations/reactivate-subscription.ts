import { addDays, type ReactivateSubscriptionInput, StoreError } from '@storeport/core'
import { reactivateSubscription } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, intervalOf, isEnding, replacesKey, unitAmount } from '../account/to-account.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { placeholderProduct, readCachedProducts, readProduct } from '../shop/read-products.ts'
import type { Session } from '../stripe/session.ts'
import type { Settings } from '../stripe/settings.ts'
import type { Change, Plan } from './change-once.ts'
import { instantOn, newObject, oncePerSubscription, requirePayment, updateSubscription } from './context.ts'
import { addCode, isPercentage } from './discounts.ts'

/** Removes a scheduled cancellation. Recreates a cancelled subscription, because a cancellation in Stripe is final. */
export function planReactivate(input: ReactivateSubscriptionInput): Plan {
  return async ({ account, customers, subscriptions, replaced }, session) => {
    const old = subscriptions.find(({ id }) => id === input.subscription_id)
    if (replaced.has(input.subscription_id)) throw new StoreError('subscription_not_cancelled')
    const promotion = await findPromotionCode(session, input.discount_code, customers)
    const shop = session.createShop({ discount: () => promotion?.terms, product: placeholderProduct })
    reactivateSubscription(account, input, shop)
    if (old === undefined) throw new StoreError('subscription_not_found')
    requirePayment(old, customers)
    const once = oncePerSubscription(session, isEnding(old) ? 'resume' : 'reactivate', old, old.canceled_at ?? 0)
    if (isEnding(old)) return { ...resumeSubscription(session, old, promotion), ...once }
    const products = await readCachedProducts(session, { products: new Map() }, productsOf([old]))
    const renewed = await withCurrentPrices(session, old, products)
    if (renewed !== undefined) return { ...recreateSubscription(session, renewed, promotion), ...once }
    throw new StoreError(
      'subscription_not_eligible',
      'A product of this subscription is not available at its old price.',
    )
  }
}

/** Applies a percentage to product lines, not to shipping. A fixed amount applies to the order. */
function lineDiscounts(
  { shippingProduct }: Settings,
  item: Pick<Stripe.SubscriptionItem, 'discounts' | 'price'>,
  promotion: UsablePromotion | undefined,
) {
  const isShipping = idOf(item.price.product) === shippingProduct
  return promotion !== undefined && isPercentage(promotion) && !isShipping ? addCode(item, promotion.id) : {}
}

function orderDiscounts(old: Pick<Stripe.Subscription, 'discounts'>, promotion: UsablePromotion | undefined) {
  return promotion === undefined || isPercentage(promotion) ? {} : addCode(old, promotion.id)
}

function resumeSubscription(
  settings: Settings,
  old: Stripe.Subscription,
  promotion: UsablePromotion | undefined,
): Change {
  const items = old.items.data.map((item) => ({ id: item.id, ...lineDiscounts(settings, item, promotion) }))
  const lowered = items.filter((item) => 'discounts' in item)
  return updateSubscription(settings, old, {
    ...(old.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' }),
    ...orderDiscounts(old, promotion),
    ...(lowered.length > 0 && { items: lowered }),
  })
}

function recreateSubscription(
  settings: Settings,
  old: Stripe.Subscription,
  promotion: UsablePromotion | undefined,
): Change {
  const { stripe, today, dayOf } = settings
  const items = old.items.data
    .filter(({ quantity }) => quantity !== 0)
    .map((item) => ({
      price: item.price.id,
      quantity: item.quantity ?? 1,
      metadata: merchantMetadata(item.metadata),
      ...(item.tax_rates?.length && { tax_rates: item.tax_rates.map(({ id }) => id) }),
      // Does not copy the old discounts, because they ended with the old subscription.
      ...lineDiscounts(settings, { ...item, discounts: [] }, promotion),
    }))
  const { default_payment_method: method, default_source: source, default_tax_rates: rates } = old
  const { collection_method, currency, days_until_due, description, invoice_settings, payment_settings } = old
  const params = {
    customer: idOf(old.customer),
    currency,
    items,
    proration_behavior: 'none',
    off_session: true,
    ...(collection_method === 'send_invoice' && { collection_method, days_until_due: days_until_due ?? 30 }),
    ...(method !== null && { default_payment_method: idOf(method) }),
    ...(source !== null && { default_source: idOf(source) }),
    invoice_settings: toParams<Stripe.SubscriptionCreateParams.InvoiceSettings>(invoice_settings),
    payment_settings: toParams<Stripe.SubscriptionCreateParams.PaymentSettings>(payment_settings),
    ...(description !== null && { description }),
    ...(rates?.length && { default_tax_rates: rates.map(({ id }) => id) }),
    ...(old.automatic_tax.enabled && { automatic_tax: { enabled: true } }),
    ...orderDiscounts({ discounts: [] }, promotion),
  } satisfies Stripe.SubscriptionCreateParams
  return {
    holder: newObject,
    send: (mark, options, at) => {
      const metadata = { ...merchantMetadata(old.metadata), [replacesKey]: old.id, ...mark }
      const trial_end = instantOn(addDays(today(), 1), at, dayOf)
      return stripe.subscriptions.create({ ...params, trial_end, metadata }, options)
    },
  }
}

/** Returns the product ids of subscriptions. */
export function productsOf(subscriptions: readonly Stripe.Subscription[]): readonly string[] {
  return [...new Set(subscriptions.flatMap(({ items }) => items.data.map(({ price }) => idOf(price.product))))]
}

/**
 * Replaces the archived prices of a cancelled subscription. Returns `undefined` if a product is archived, or has no price or a higher
 * price, because Stripe rejects archived products.
 */
export async function withCurrentPrices(
  session: Session,
  old: Stripe.Subscription,
  find: (id: string) => Stripe.Product | undefined,
): Promise<Stripe.Subscription | undefined> {
  const interval = intervalOf(old) ?? session.interval
  const data: Stripe.SubscriptionItem[] = []
  for (const item of old.items.data) {
    const product = idOf(item.price.product)
    if (item.quantity !== 0 && find(product)?.active !== true) return undefined
    const found = item.price.active || item.quantity === 0 ? item : await readProduct(session, product, interval)
    if (found?.price === undefined || unitAmount(found.price) > unitAmount(item.price)) return undefined
    data.push({ ...item, price: found.price })
  }
  return { ...old, items: { ...old.items, data } }
}

/** Returns settings of a response as parameters of a request, which must not contain null. */
function toParams<Params>(settings: object | null): Params {
  return JSON.parse(JSON.stringify(settings ?? {}, (_, value: unknown) => value ?? undefined))
}

function merchantMetadata(metadata: Stripe.Metadata): Stripe.MetadataParam {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith('storeport_')))
}
