import type { Stripe } from 'stripe'
import type { ItemParam } from '../billing/change-items.ts'
import { listPage } from '../list-page.ts'
import { findResource, type StripeAccount } from '../stripe-account.ts'
import { createMissing } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'
import { changeAndBill } from './update-subscription.ts'

/** Items of subscriptions (docs.stripe.com/api/subscription_items): each change is one of their subscription. */
export const subscriptionItemHandlers = {
  'GET /v1/subscription_items': (account, params) =>
    listPage(
      '/v1/subscription_items',
      findResource(account.subscriptions, 'subscription', params.subscription, 'subscription').items.data,
      params,
    ),
  'POST /v1/subscription_items': (account, { subscription: id, ...params }) => {
    const before = findResource(account.subscriptions, 'subscription', id, 'subscription')
    const known = before.items.data.map((item) => item.id)
    const after = changeItem(account, before, params, params)
    return findItem(after, ({ id: item }) => !known.includes(item))
  },
  'POST /v1/subscription_items/{id}': (account, params, id) => {
    const after = changeItem(account, findSubscription(account, id), { ...params, id }, params)
    return findItem(after, (item) => item.id === id)
  },
  'DELETE /v1/subscription_items/{id}': (account, params, id) => {
    changeItem(account, findSubscription(account, id), { id, deleted: true }, params)
    return { id, object: 'subscription_item', deleted: true }
  },
} satisfies Partial<Handlers>

function changeItem(
  account: StripeAccount,
  before: Stripe.Subscription,
  item: ItemParam,
  params: Pick<Stripe.SubscriptionItemCreateParams, 'payment_behavior' | 'proration_behavior'>,
): Stripe.Subscription {
  // docs.stripe.com/api/subscription_items/create: of a subscription that has ended nothing can be changed.
  if (['canceled', 'incomplete_expired'].includes(before.status))
    throw createMissing('subscription', before.id, 'subscription')
  return changeAndBill(account, before, [item], params)
}

function findSubscription(account: StripeAccount, item: string): Stripe.Subscription {
  const found = [...account.subscriptions.values()].find(({ items }) => items.data.some(({ id }) => id === item))
  if (found === undefined) throw createMissing('subscription_item', item)
  return found
}

function findItem(
  { items }: Stripe.Subscription,
  is: (item: Stripe.SubscriptionItem) => boolean,
): Stripe.SubscriptionItem {
  const found = items.data.find(is)
  if (found === undefined) throw new Error('the item is gone')
  return found
}
