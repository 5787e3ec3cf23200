import { addDays, type ReactivateSubscriptionInput, StoreError } from '@storeport/core'
import { reactivateSubscription } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, isEnding, replacesKey } from '../account/to-account.ts'
import { isPerUnit } from '../account/unsupported.ts'
import type { Change, Plan } from './change-once.ts'
import { customerOf, type StoreContext, instantOn, newObject, oncePerSubscription, requirePayment } from './context.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { placeholderProduct, readProduct } from '../shop/read-products.ts'
import type { StripeRequests } from '../stripe/stripe-requests.ts'
import { withPromotions } from './discounts.ts'

/** Removes a scheduled cancellation. Recreates a cancelled subscription, because a cancellation in Stripe is final. */
export function planReactivate(store: StoreContext, input: ReactivateSubscriptionInput): Plan {
  return async ({ account, customers, subscriptions, replaced }, requests) => {
    const { settings, createShop } = store
    const { subscription_id, discount_code } = input
    const old = subscriptions.find(({ id }) => id === subscription_id)
    if (replaced.has(subscription_id)) throw new StoreError('subscription_not_cancelled')
    const owners = customers.map(({ id }) => id)
    const promotion =
      discount_code === undefined ? undefined : await findPromotionCode(settings, requests, discount_code, owners)
    const after = reactivateSubscription(
      account,
      input,
      createShop({ discount: () => promotion?.terms, product: placeholderProduct }),
    )
    if (old === undefined) throw new StoreError('subscription_not_found')
    requirePayment(customerOf(old, customers), old)
    const once = oncePerSubscription(store, 'reactivate', old, old.canceled_at ?? 0)
    if (isEnding(old)) return { ...resumeSubscription(store, old, promotion), ...once }
    const renewed = after.subscriptions.find(({ id }) => id === old.id)
    const interval = renewed?.interval ?? settings.interval
    return { ...(await recreateSubscription(store, requests, old, promotion, interval)), ...once }
  }
}

/** Applies a percentage discount to product lines, not to shipping. A fixed-amount discount applies to the order. */
function lineDiscounts(store: StoreContext, item: Stripe.SubscriptionItem, promotion: UsablePromotion | undefined) {
  const isShipping = idOf(item.price.product) === store.settings.shippingProduct
  if (promotion?.terms.kind !== 'percentage' || isShipping) return {}
  const discounts = withPromotions(item.discounts, promotion.id)
  return discounts ? { discounts } : {}
}

function orderDiscounts({ discounts: present }: Stripe.Subscription, promotion: UsablePromotion | undefined) {
  if (promotion?.terms.kind !== 'fixed_amount') return {}
  const discounts = withPromotions(present, promotion.id)
  return discounts ? { discounts } : {}
}

function resumeSubscription(
  store: StoreContext,
  old: Stripe.Subscription,
  promotion: UsablePromotion | undefined,
): Change {
  const { stripe } = store.settings
  const items = old.items.data.map((item) => ({ id: item.id, ...lineDiscounts(store, item, promotion) }))
  const lowered = items.filter((item) => 'discounts' in item)
  return {
    holder: old,
    send: (metadata, options) =>
      stripe.subscriptions.update(
        old.id,
        {
          ...(old.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' }),
          ...orderDiscounts(old, promotion),
          ...(lowered.length > 0 && { items: lowered }),
          proration_behavior: 'none',
          metadata,
        },
        options,
      ),
  }
}

async function recreateSubscription(
  store: StoreContext,
  requests: StripeRequests,
  old: Stripe.Subscription,
  promotion: UsablePromotion | undefined,
  interval: Parameters<typeof readProduct>[3],
): Promise<Change> {
  const { stripe, today, dayOf } = store.settings
  const items = await Promise.all(
    old.items.data.map(async (item) => ({
      price: await usablePrice(store, requests, item, interval),
      quantity: item.quantity ?? 1,
      ...(item.tax_rates?.length && { tax_rates: item.tax_rates.map(({ id }) => id) }),
      // Does not copy the old discounts, because they ended with the old subscription.
      ...lineDiscounts(store, { ...item, discounts: [] }, promotion),
    })),
  )
  const { default_payment_method: method, default_tax_rates: rates, collection_method, days_until_due } = old
  return {
    holder: newObject,
    send: (metadata, options, at) =>
      stripe.subscriptions.create(
        {
          customer: idOf(old.customer),
          items,
          trial_end: instantOn(addDays(today(), 1), at, dayOf),
          proration_behavior: 'none',
          off_session: true,
          ...(collection_method === 'send_invoice' && { collection_method, days_until_due: days_until_due ?? 30 }),
          ...(method !== null && { default_payment_method: idOf(method) }),
          ...(old.description !== null && { description: old.description }),
          ...(rates && rates.length > 0 && { default_tax_rates: rates.map(({ id }) => id) }),
          ...(old.automatic_tax.enabled && { automatic_tax: { enabled: true } }),
          ...orderDiscounts({ ...old, discounts: [] }, promotion),
          metadata: { ...merchantMetadata(old.metadata), [replacesKey]: old.id, ...metadata },
        },
        options,
      ),
  }
}

/** Returns the price id of the old item, or of the product's current price if the old price was archived. */
async function usablePrice(
  { settings }: StoreContext,
  requests: StripeRequests,
  { price }: Stripe.SubscriptionItem,
  interval: Parameters<typeof readProduct>[3],
): Promise<string> {
  if (price.active && isPerUnit(price)) return price.id
  const priced = await readProduct(settings, requests, idOf(price.product), interval)
  if (priced?.price === undefined) {
    throw new StoreError('subscription_not_eligible', 'A product of this subscription is no longer available.')
  }
  return priced.price.id
}

function merchantMetadata(metadata: Stripe.Metadata): Stripe.MetadataParam {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith('storeport_')))
}
