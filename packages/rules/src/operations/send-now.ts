import { type CustomerInput, StoreError } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { currentSubscription, nextBillingAfter } from '../account/subscriptions.ts'
import { placeNextOrder } from '../account/orders.ts'
import { defineRule } from './define-rule.ts'
import { findProduct, isAvailable, type Shop } from '../shop/shop.ts'

/**
 * Creates an order with the status `processing` from the next order of the current subscription. Removes the
 * subscription's one-time items, discount codes and open additions. Later orders are billed on
 * today's day of the month (SEND-1, SEND-2).
 *
 * Throws `subscription_not_found`, and `order_not_processable` for a subscription without items,
 * or whose recurring items are all sold out. Throws
 * `order_already_processing` for a second order on the same day or within an hour, even from another subscription.
 */
export const sendNow = defineRule({
  uses: ['subscriptions', 'products', 'adds', 'discount_uses', 'last_sent_on', 'last_sent_at'],
  subscriptions: ['current'],
  apply: send,
})

function send(account: CustomerAccount, _input: CustomerInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account, shop)
  if (hasRecentOrder(account, shop)) throw new StoreError('order_already_processing')
  const items = subscription.items.filter(({ quantity }) => quantity > 0)
  const recurring = items.filter(({ one_time }) => !one_time)
  const isSoldOut =
    recurring.length > 0 && !recurring.some((item) => isAvailable(findProduct(item, subscription, shop)))
  if (items.length === 0 || isSoldOut) throw new StoreError('order_not_processable')
  const next = nextBillingAfter(shop.today, { ...subscription, next_billing_date: shop.today, anchor_day: null })
  return placeNextOrder(account, subscription, next, shop)
}

/** Minimum time between two orders, in milliseconds. Also applies to orders on different dates. */
const hourMs = 60 * 60_000

/**
 * Returns whether an order was sent today or in the last hour. A future date or time also returns true, because the
 * clock may have been set back.
 */
function hasRecentOrder({ last_sent_on, last_sent_at }: CustomerAccount, { today, now }: Shop): boolean {
  if (last_sent_on !== null && last_sent_on >= today) return true
  return last_sent_at !== null && now !== undefined && now - last_sent_at < hourMs
}
