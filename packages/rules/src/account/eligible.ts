import { addDays } from '@storeport/core'
import type { EndedSubscription } from './customer-account.ts'
import type { Shop } from '../shop/shop.ts'

/** Returns whether a cancelled subscription can be reactivated: it was not cancelled too long ago (REACTIVATE-5). */
export function isEligible(subscription: EndedSubscription, shop: Shop): boolean {
  return subscription.cancelled_on >= addDays(shop.today, -shop.reactivation_days)
}
