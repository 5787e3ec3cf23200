import { type CustomerInput, StoreError } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { nextBillingDate } from '../account/next-billing-date.ts'
import { placeNextOrder } from '../account/place-next-order.ts'
import { currentSubscription } from '../account/soonest.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Turns the next order of the current subscription into an order that is being processed; the one-time lines, the
 * discount codes and the open adds of that subscription are used up with it (SEND-1, SEND-2).
 *
 * Throws `subscription_not_found`, `order_already_processing` for the second time on one day, whichever subscription
 * has become current since, and `order_not_processable` when there is nothing to send.
 */
export function sendNow(account: CustomerAccount, _input: CustomerInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account)
  if (account.last_sent_on === shop.today) throw new StoreError('order_already_processing')
  if (subscription.items.length === 0) throw new StoreError('order_not_processable')
  return placeNextOrder(account, subscription, nextBillingDate(shop.today, subscription.interval), shop)
}
