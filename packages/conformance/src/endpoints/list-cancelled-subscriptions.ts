import { type Check, type CheckContext, define, readingAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readCancelled } from '../shop/customers.ts'

const { must, should } = about('reactivating')

export const requirements: Requirements = {
  'CANCELLED-1': must(
    'The data is `{subscriptions: [CancelledSubscription, …]}`, and each field has the correct type.',
    'The list is `data` itself, or the list of items is not named `products`.',
  ),
  'CANCELLED-2': must(
    "The list contains the customer's cancelled subscriptions that can be reactivated.",
    'The list contains active or closed subscriptions, or only the last cancelled subscription.',
  ),
  'CANCELLED-3': should('The most recently cancelled subscription is first in the list.', 'The list is not sorted.'),
  'CANCELLED-4': should(
    'A request for a customer without cancelled subscriptions returns an empty list.',
    'A customer without cancelled subscriptions is treated as unknown.',
  ),
}

export const checks: readonly Check[] = define(
  { ...readingAShop, needs: ['listCancelledSubscriptions'] },
  requirements,
  {
    'listCancelledSubscriptions.returns-subscriptions': {
      requirements: ['CANCELLED-1', 'JSON-1', 'JSON-5'],
      layer: 'wire',
      async run(t) {
        const { cancelled, otherCustomer, subscribed } = t.profile.customers
        t.need(cancelled, 'customers.cancelled')
        for (const email of [cancelled, otherCustomer, subscribed]) {
          if (email !== undefined) await readCancelled(t, email)
        }
      },
    },
    'listCancelledSubscriptions.lists-the-latest-first': tests(['CANCELLED-3', 'CANCELLED-2'], async (t) => {
      const known = t.need(t.profile.subscriptions.cancelled, 'subscriptions.cancelled')
      const ids = await cancelledIds(t, customerOf(t, 'cancelled'))
      const left = known.filter((id) => ids.includes(id))
      t.equal(ids, left, 'the subscription ids in order')
      const isUsed = ids.length < known.length
      if (isUsed) t.skipUsed('subscriptions in subscriptions.cancelled were reactivated', 'reactivateSubscription')
    }),
    'listCancelledSubscriptions.omits-old-subscriptions': {
      title: 'The list contains no active subscription and no subscription that was cancelled too long ago.',
      requirements: ['REACTIVATE-5', 'CANCELLED-2'],
      async run(t) {
        const unwanted = [
          t.need(t.profile.subscriptions.tooOld, 'subscriptions.tooOld'),
          t.profile.subscriptions.active,
        ]
        for (const email of [customerOf(t, 'cancelled'), customerOf(t, 'subscribed')]) {
          const found = (await cancelledIds(t, email)).some((id) => unwanted.includes(id))
          t.ok(!found, 'no active subscription and no subscription that is too old')
        }
      },
    },
    'listCancelledSubscriptions.may-be-empty': {
      title:
        'A request for a customer without cancelled subscriptions returns an empty list. A request for an unknown customer returns 404 `customer_not_found`.',
      requirements: ['CANCELLED-4', 'CUSTOMER-1'],
      async run(t) {
        const email = customerOf(t, 'empty')
        t.equal(await readCancelled(t, email), [], 'the list')
        const stranger = await t.call('listCancelledSubscriptions', { email: t.profile.customers.unknown })
        t.rejected(stranger, 'customer_not_found', 'CUSTOMER-1')
      },
    },
  },
)

async function cancelledIds(t: CheckContext, email: string): Promise<readonly string[]> {
  return (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
}
