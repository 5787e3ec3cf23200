import { type CustomerInput, StoreError } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { currentSubscription, nextBillingDate } from '../account/subscriptions.ts'
import { placeNextOrder } from '../account/orders.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Turns the next order of the current subscription into an order that is being processed; the one-time lines, the
 * discount codes and the open adds of that subscription are used up with it (SEND-1, SEND-2).
 *
 * Throws `subscription_not_found`, `order_already_processing` for the second time on one day or within an hour, whichever
 * subscription has become current since, and `order_not_processable` when there is nothing to send.
 */
export const sendNow = defineRule({
  uses: ['subscriptions', 'products', 'adds', 'discount_uses', 'last_sent_on', 'last_sent_at'],
  subscriptions: ['current'],
  apply: send,
})

function send(account: CustomerAccount, _input: CustomerInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account)
  if (isSentAlready(account, shop)) throw new StoreError('order_already_processing')
  if (subscription.items.length === 0) throw new StoreError('order_not_processable')
  return placeNextOrder(account, subscription, nextBillingDate(shop.today, subscription.interval), shop)
}

/** How long after an order there is no other one, also past midnight, in milliseconds. */
const hourMs = 60 * 60_000

/** Whether there was an order lately; a day or a time that lies ahead is one that a clock has since been set back from. */
function isSentAlready({ last_sent_on, last_sent_at }: CustomerAccount, { today, now }: Shop): boolean {
  if (last_sent_on !== null && last_sent_on >= today) return true
  return last_sent_at !== null && now !== undefined && now - last_sent_at < hourMs
}
