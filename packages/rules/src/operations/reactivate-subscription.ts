import { addDays, type ReactivateSubscriptionInput, StoreError } from '@storeport/core'
import type { ActiveSubscription, CustomerAccount } from '../account/customer-account.ts'
import { discountedUnits, openUse, requireDiscount, setUnits } from '../account/discounts.ts'
import { hasProducts, isEligible, withElement } from '../account/subscriptions.ts'
import { checkSubscription } from '../account/check-account.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Reactivates a cancelled subscription with unchanged items and tomorrow as the next billing date (REACTIVATE-1,
 * REACTIVATE-2).
 *
 * Throws `subscription_not_found` (also for a subscription of another customer), `subscription_not_cancelled`,
 * `subscription_not_eligible` and `invalid_discount_code`, and TypeError for an invalid subscription.
 */
export const reactivateSubscription = defineRule({
  uses: ['subscriptions', 'discount_uses', 'products'],
  subscriptions: ['current', 'named'],
  ignoresAmounts: true,
  names: ({ subscription_id, discount_code }) => ({ subscription_id, discount_code }),
  apply: reactivate,
})

function reactivate(account: CustomerAccount, input: ReactivateSubscriptionInput, shop: Shop): CustomerAccount {
  const subscription = account.subscriptions.find(({ id }) => id === input.subscription_id)
  if (subscription === undefined || subscription.status === 'paused') throw new StoreError('subscription_not_found')
  if (subscription.status !== 'cancelled') throw new StoreError('subscription_not_cancelled')
  if (!hasProducts(subscription, shop))
    throw new StoreError('subscription_not_eligible', 'A product of the subscription no longer exists.')
  if (!isEligible(subscription, shop)) throw new StoreError('subscription_not_eligible')
  checkSubscription(subscription)
  const discount = requireDiscount(input.discount_code, shop, account, subscription.id)

  const tomorrow = addDays(shop.today, 1)
  const active: ActiveSubscription = {
    ...subscription,
    status: 'active',
    next_billing_date: tomorrow,
    cancelled_on: null,
    anchor_day: null,
    skipped: subscription.skipped.filter((date) => date > tomorrow),
  }
  const target = { subscription_id: active.id, order_id: null }
  // Without items, the code would apply to nothing.
  const { use, uses } = openUse(account.discount_uses, active.items.length > 0 ? discount : undefined, target, shop)
  return {
    ...account,
    subscriptions: withElement(account.subscriptions, active),
    discount_uses: active.items.reduce(
      (all, item) =>
        setUnits(all, item.id, (each) => (each.id === use?.id ? item.quantity : discountedUnits(each, item))),
      uses,
    ),
  }
}
