import { StoreError } from '@storeport/core'
import type { ActiveSubscription, CustomerAccount, Subscription } from './customer-account.ts'

/** The active subscription that is billed next; of several on one day the one with the lowest id (SUBSCRIPTION-5). */
export function soonest(subscriptions: readonly Subscription[]): ActiveSubscription | undefined {
  return subscriptions
    .filter((subscription) => subscription.status === 'active')
    .reduce<ActiveSubscription | undefined>(
      (first, next) => (first && !isBefore(next, first) ? first : next),
      undefined,
    )
}

/** The customer's current subscription; throws `subscription_not_found` when none is active. */
export function currentSubscription(account: Pick<CustomerAccount, 'subscriptions'>): ActiveSubscription {
  const subscription = soonest(account.subscriptions)
  if (subscription === undefined) throw new StoreError('subscription_not_found')
  return subscription
}

function isBefore(one: ActiveSubscription, other: ActiveSubscription): boolean {
  if (one.next_billing_date !== other.next_billing_date) return one.next_billing_date < other.next_billing_date
  return one.id < other.id
}
