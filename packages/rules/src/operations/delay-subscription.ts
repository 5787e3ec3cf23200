import { type DelaySubscriptionInput, StoreError } from '@storeport/core'
import type { CustomerAccount } from '../account/customer-account.ts'
import { currentSubscription, shownDate, withElement, withoutDeclined } from '../account/subscriptions.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/**
 * Postpones the next billing of the current subscription. The new date must be tomorrow or later, and not before the
 * current billing date. The current billing date is accepted and changes nothing, so that a retry does not fail. Later
 * orders are billed on the same day of the month as the new date (DELAY-1 to DELAY-5).
 *
 * Throws `subscription_not_found` and `invalid_date`.
 */
export const delaySubscription = defineRule({
  uses: ['subscriptions'],
  subscriptions: ['current'],
  apply: delay,
})

function delay(account: CustomerAccount, input: DelaySubscriptionInput, shop: Shop): CustomerAccount {
  const subscription = currentSubscription(account, shop)
  const { new_date } = input
  const shown = shownDate(subscription, shop.today)
  if (new_date <= shop.today || new_date < shown) throw new StoreError('invalid_date')
  if (new_date === shown) return account
  const skipped = subscription.skipped.filter((date) => date !== new_date)
  const delayed = { ...withoutDeclined(subscription), next_billing_date: new_date, anchor_day: null, skipped }
  return { ...account, subscriptions: withElement(account.subscriptions, delayed) }
}
