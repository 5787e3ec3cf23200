import type { CancelledSubscription, CancelledSubscriptionList, CustomerInput } from '@storeport/core'
import type { CustomerAccount, EndedSubscription } from '../account/customer-account.ts'
import { isEligible } from '../account/subscriptions.ts'
import { toSubscriptionItems } from '../account/responses.ts'
import type { EveryField } from '../shop/every-field.ts'
import { defineRule } from './define-rule.ts'
import type { Shop } from '../shop/shop.ts'

/** Lists subscriptions that can be reactivated, most recently cancelled first (CANCELLED-2, CANCELLED-3). */
export const listCancelledSubscriptions = defineRule({
  uses: ['subscriptions', 'products'],
  subscriptions: ['cancelled'],
  apply: listCancelled,
})

function listCancelled(
  account: Pick<CustomerAccount, 'subscriptions'>,
  _input: CustomerInput,
  shop: Shop,
): CancelledSubscriptionList {
  const eligible = account.subscriptions
    .filter((subscription) => subscription.status === 'cancelled')
    .filter((subscription) => isEligible(subscription, shop))
    .toSorted(byMostRecent)
  return {
    subscriptions: eligible.map((subscription) => toCancelledSubscription(subscription, shop)),
  } satisfies EveryField<CancelledSubscriptionList>
}

function toCancelledSubscription(subscription: EndedSubscription, shop: Shop): CancelledSubscription {
  const { id, title } = subscription
  return {
    subscription_id: id,
    title,
    products: toSubscriptionItems(subscription, shop),
  } satisfies EveryField<CancelledSubscription>
}

/** Sorts by cancellation date, newest first, and then by id, so that repeated requests return the same sequence. */
function byMostRecent(one: EndedSubscription, other: EndedSubscription): number {
  if (one.cancelled_on !== other.cancelled_on) return one.cancelled_on > other.cancelled_on ? -1 : 1
  return one.id < other.id ? -1 : 1
}
