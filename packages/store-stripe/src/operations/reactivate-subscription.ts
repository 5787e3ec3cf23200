import { addDays, type ReactivateSubscriptionInput, StoreError } from '@storeport/core'
import { reactivateSubscription } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf, isEnding, replacedIds, replacesKey } from '../account/to-account.ts'
import type { Change, Plan } from './change-once.ts'
import { customerOf, type Desk, instantOn, newHolder, requirePayment } from './desk.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { readProduct } from '../shop/read-products.ts'
import type { Asking } from '../stripe/ask-stripe.ts'
import { withPromotion } from './discounts.ts'

/** Makes a new subscription of a cancelled one, which Stripe never takes back; one that only ends with its period goes on. */
export function planReactivate(desk: Desk, input: ReactivateSubscriptionInput): Plan {
  return async ({ account, customers, subscriptions }, asking) => {
    const { settings, createShop } = desk
    const { subscription_id, discount_code } = input
    const old = subscriptions.find(({ id }) => id === subscription_id)
    if (replacedIds(subscriptions).has(subscription_id) && old !== undefined) {
      throw new StoreError('subscription_not_cancelled')
    }
    const owners = customers.map(({ id }) => id)
    const promotion =
      discount_code === undefined ? undefined : await findPromotionCode(settings, asking, discount_code, owners)
    const after = reactivateSubscription(account, input, createShop({ discount: () => promotion?.terms }))
    if (old === undefined) throw new StoreError('subscription_not_found')
    requirePayment(customerOf(old, customers), old)
    if (old.status !== 'canceled' && isEnding(old)) return goOn(desk, old, promotion)
    const renewed = after.subscriptions.find(({ id }) => id === old.id)
    return renew(desk, asking, old, promotion, renewed?.interval ?? settings.interval)
  }
}

/** A percentage is of the products, not of the shipping; a fixed amount is taken off the order. */
function lineDiscounts(desk: Desk, item: Stripe.SubscriptionItem, promotion: UsablePromotion | undefined) {
  const isShipping = idOf(item.price.product) === desk.settings.shippingProduct
  if (promotion?.terms.kind !== 'percentage' || isShipping) return {}
  const discounts = withPromotion(item.discounts, promotion.id)
  return discounts ? { discounts } : {}
}

function orderDiscounts({ discounts: present }: Stripe.Subscription, promotion: UsablePromotion | undefined) {
  if (promotion?.terms.kind !== 'fixed_amount') return {}
  const discounts = withPromotion(present, promotion.id)
  return discounts ? { discounts } : {}
}

function goOn(desk: Desk, old: Stripe.Subscription, promotion: UsablePromotion | undefined): Change {
  const { stripe } = desk.settings
  const items = old.items.data.map((item) => ({ id: item.id, ...lineDiscounts(desk, item, promotion) }))
  const lowered = items.filter((item) => 'discounts' in item)
  return {
    holder: old,
    send: (metadata, options) =>
      stripe.subscriptions.update(
        old.id,
        {
          ...(old.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const }),
          ...orderDiscounts(old, promotion),
          ...(lowered.length > 0 && { items: lowered }),
          proration_behavior: 'none',
          metadata,
        },
        options,
      ),
  }
}

async function renew(
  desk: Desk,
  asking: Asking,
  old: Stripe.Subscription,
  promotion: UsablePromotion | undefined,
  interval: Parameters<typeof readProduct>[3],
): Promise<Change> {
  const { stripe, today, dayOf } = desk.settings
  const items = await Promise.all(
    old.items.data.map(async (item) => ({
      price: await usablePrice(desk, asking, item, interval),
      quantity: item.quantity ?? 1,
      // The discounts of the old one ended with it.
      ...lineDiscounts(desk, { ...item, discounts: [] }, promotion),
    })),
  )
  const { default_payment_method: method, default_tax_rates: rates, collection_method, days_until_due } = old
  return {
    holder: newHolder,
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
          metadata: { ...merchantsOwn(old.metadata), [replacesKey]: old.id, ...metadata },
        },
        options,
      ),
  }
}

/** The price that the customer had; one that was archived since cannot begin anew. */
async function usablePrice(
  { settings }: Desk,
  asking: Asking,
  { price }: Stripe.SubscriptionItem,
  interval: Parameters<typeof readProduct>[3],
): Promise<string> {
  if (price.active) return price.id
  const priced = await readProduct(settings, asking, idOf(price.product), interval)
  if (priced?.price === undefined) {
    throw new StoreError('subscription_not_eligible', 'A product of the subscription is no longer sold.')
  }
  return priced.price.id
}

function merchantsOwn(metadata: Stripe.Metadata): Stripe.MetadataParam {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith('storeport_')))
}
