import { addDays } from '@storeport/core'
import type { EndedSubscription } from './customer-account.ts'
import type { Shop } from '../shop/shop.ts'

/** Whether a cancelled subscription can be reactivated: it was not cancelled too long ago (DESIGN section 3). */
export function isEligible(subscription: EndedSubscription, shop: Shop): boolean {
  return subscription.cancelled_on >= addDays(shop.today, -shop.reactivation_days)
}
