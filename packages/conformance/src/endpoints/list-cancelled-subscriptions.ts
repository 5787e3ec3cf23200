import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readCancelled } from '../steps/customers.ts'

const { must, should } = about('reactivating')

/** The list of cancelled subscriptions. */
export const requirements: Requirements = {
  'CANCELLED-1': must(
    'The answer is `{subscriptions: [CancelledSubscription, …]}`, fields with their types.',
    'The list stands in `data` itself, or the items are called something other than `products`.',
  ),
  'CANCELLED-2': must(
    "The list holds the customer's cancelled subscriptions that can be reactivated.",
    'Active or closed subscriptions are listed too, or all but the last are left out.',
  ),
  'CANCELLED-3': should('The most recently cancelled one comes first.', 'The order is that of the database.'),
  'CANCELLED-4': should(
    'A customer without any gets an empty list.',
    'No subscriptions are taken for an unknown customer.',
  ),
}

const common: Common = { mode: 'read-only', layer: 'shop', needs: ['listCancelledSubscriptions'] }

/** The list of cancelled subscriptions. */
export const checks: readonly Check[] = define(common, {
  'listCancelledSubscriptions.answers-with-subscriptions': {
    title: 'The list is `{subscriptions: […]}`, each with id, title and products of their types.',
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
  'listCancelledSubscriptions.puts-the-latest-first': {
    title: 'The list holds the subscriptions that can be reactivated, most recently cancelled first.',
    requirements: ['CANCELLED-3', 'CANCELLED-2'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const known = t.need(t.profile.subscriptions.cancelled, 'subscriptions.cancelled')
      const ids = (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
      const expected = known.filter((id) => ids.includes(id))
      t.equal(ids, expected, 'the ids in order')
      if (ids.length < known.length) t.spent('some of subscriptions.cancelled were reactivated already')
    },
  },
  'listCancelledSubscriptions.leaves-out-what-is-too-old': {
    title: 'A subscription that was cancelled too long ago, or is active, is not listed.',
    requirements: ['REACTIVATE-5', 'CANCELLED-2'],
    async run(t) {
      const tooOld = t.need(t.profile.subscriptions.tooOld, 'subscriptions.tooOld')
      const { subscribed } = t.profile.customers
      for (const email of [customerOf(t, 'cancelled'), t.need(subscribed, 'customers.subscribed')]) {
        const ids = (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
        const unwanted = [tooOld, t.profile.subscriptions.active]
        t.that(!ids.some((id) => unwanted.includes(id)), 'neither the one that is too old nor an active one')
      }
    },
  },
  'listCancelledSubscriptions.may-be-empty': {
    title: 'A customer without any gets an empty list, an unknown customer 404 `customer_not_found`.',
    requirements: ['CANCELLED-4', 'CUSTOMER-1'],
    async run(t) {
      const email = customerOf(t, 'empty')
      t.equal(await readCancelled(t, email), [], 'the list')
      const stranger = await t.call('listCancelledSubscriptions', { email: t.profile.customers.unknown })
      t.refused(stranger, 'customer_not_found', 'CUSTOMER-1')
    },
  },
})
