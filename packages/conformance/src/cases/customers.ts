import { type Check, define, readingAShop } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, findSubscription, readCancelled } from '../shop/customers.ts'

const { should, showsOthers } = about('customers')

export const requirements: Requirements = {
  'CUSTOMER-1': should(
    'A request for an unknown customer returns 404 `customer_not_found`, before any ids are checked.',
    'The ids are looked up before the customer, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': showsOthers(
    "A request for one customer never reads or changes another customer's data, regardless of the ids in the request.",
    'A record is looked up by its id only, or stored in a variable that all requests share.',
  ),
  'CUSTOMER-3': showsOthers(
    'Lookups match the complete email address. A wildcard or partial address matches no customer.',
    'The address is used in a `LIKE` condition or a text search instead of an equality comparison.',
  ),
}

const needs = ['getSubscription', 'listCancelledSubscriptions'] as const

export const checks: readonly Check[] = define({ ...readingAShop, needs }, requirements, {
  'customers.see-only-their-own-data': {
    title:
      'No cancelled subscription is listed for two customers. No subscription is returned for a customer without subscriptions.',
    requirements: ['CUSTOMER-2'],
    async run(t) {
      const { unknown, empty = unknown } = t.profile.customers
      const listed: string[] = []
      for (const name of ['subscribed', 'otherCustomer', 'cancelled'] as const) {
        const email = customerOf(t, name)
        await findSubscription(t, email)
        listed.push(...(await readCancelled(t, email)).map(({ subscription_id }) => subscription_id))
        for (const stranger of new Set([empty, unknown])) {
          const current = await findSubscription(t, stranger)
          t.equal(current, undefined, 'the subscription of a customer without subscriptions')
          const list = await t.call('listCancelledSubscriptions', { email: stranger })
          const shown = list.status === 200 ? await readCancelled(t, stranger) : []
          t.equal(shown, [], 'the cancelled subscriptions of a customer without subscriptions', list)
        }
      }
      t.equal(new Set(listed).size, listed.length, 'the number of subscription ids')
    },
  },
})
