import type { Check } from '../../engine/check.ts'
import { readCancelled } from '../../steps/read.ts'
import { customerOf } from '../../steps/customer-of.ts'

/** The list of cancelled subscriptions. */
export const checks: readonly Check[] = [
  {
    id: 'listCancelledSubscriptions.answers-with-subscriptions',
    title: 'The list is `{subscriptions: […]}`, each with id, title and products of their types.',
    requirements: ['CANCELLED-1', 'JSON-1', 'JSON-5'],
    mode: 'read-only',
    layer: 'wire',
    needs: ['listCancelledSubscriptions'],
    async run(t) {
      const { cancelled, neighbour, subscribed } = t.profile.customers
      t.need(cancelled, 'customers.cancelled')
      for (const email of [cancelled, neighbour, subscribed]) {
        if (email !== undefined) await readCancelled(t, email)
      }
    },
  },
  {
    id: 'listCancelledSubscriptions.puts-the-latest-first',
    title: 'The list holds the subscriptions that can be reactivated, most recently cancelled first.',
    requirements: ['CANCELLED-3', 'CANCELLED-2'],
    mode: 'read-only',
    layer: 'shop',
    needs: ['listCancelledSubscriptions'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const known = t.need(t.profile.subscriptions.cancelled, 'subscriptions.cancelled')
      const ids = (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
      t.equal(
        ids,
        known.filter((id) => ids.includes(id)),
        'the ids in order',
      )
      if (ids.length < known.length) t.spent('some of subscriptions.cancelled were reactivated already')
    },
  },
  {
    id: 'listCancelledSubscriptions.leaves-out-what-is-too-old',
    title: 'A subscription that was cancelled too long ago, or is active, is not listed.',
    requirements: ['REACTIVATE-5', 'CANCELLED-2'],
    mode: 'read-only',
    layer: 'shop',
    needs: ['listCancelledSubscriptions'],
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
  {
    id: 'listCancelledSubscriptions.may-be-empty',
    title: 'A customer without any gets an empty list, an unknown customer 404 `customer_not_found`.',
    requirements: ['CANCELLED-4', 'CUSTOMER-1'],
    mode: 'read-only',
    layer: 'shop',
    needs: ['listCancelledSubscriptions'],
    async run(t) {
      const email = customerOf(t, 'empty')
      t.equal(await readCancelled(t, email), [], 'the list')
      const stranger = await t.call('listCancelledSubscriptions', { email: t.profile.customers.unknown })
      t.refused(stranger, 'customer_not_found', 'CUSTOMER-1')
    },
  },
]
