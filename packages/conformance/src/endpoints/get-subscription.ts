import { addDays, CurrentSubscription, type ErrorCode } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { customerOf, readCancelled, readSubscription } from '../steps/customers.ts'
import { passTheFirst } from '../steps/changes.ts'

const { must, should } = about('current subscription')

/** The current subscription of a customer. */
export const requirements: Requirements = {
  'SUBSCRIPTION-1': must(
    'The answer is a current subscription, fields with their types.',
    'A required field is missing, an id is a number, a price is a text, or the date has a time.',
  ),
  'SUBSCRIPTION-2': must(
    'An unknown customer, or one without a subscription, is 404 with the error body.',
    'The answer is 200 with `null` or an empty object, or a 404 page of the framework.',
  ),
  'SUBSCRIPTION-3': must('`customer_tax_rate` is a decimal: 0.08 means 8 %.', 'The rate is sent as a percentage.'),
  'SUBSCRIPTION-4': must(
    'Item ids are unique.',
    'A product has two lines, one of them one-time, and both are sent with the id of the product.',
  ),
  'SUBSCRIPTION-5': should(
    'Of several active subscriptions the one that is billed next is returned.',
    'The first row of the database is taken, whatever its date.',
  ),
  'SUBSCRIPTION-6': should(
    '`next_billing_date` is never in the past.',
    'Nothing moves the date on when its day has come: the order of that day was not made, or the date is that of the last one.',
  ),
}

const common: Common = { mode: 'read-only', layer: 'shop', needs: ['getSubscription'] }

/** Which subscription is the current one. */
export const checks: readonly Check[] = define(common, {
  'getSubscription.answers-with-a-subscription': {
    title: 'A current subscription has a date and items of their types, item ids being unique.',
    requirements: ['SUBSCRIPTION-1', 'SUBSCRIPTION-4', 'JSON-1', 'JSON-5'],
    layer: 'wire',
    async run(t) {
      for (const email of subscribers(t)) {
        const reply = await t.call('getSubscription', { email })
        // Before the form of the answer, which does not allow it either.
        const ids = itemIds(reply)
        t.equal(new Set(ids).size, ids.length, 'the number of item ids', reply, 'SUBSCRIPTION-4')
        const { next_billing_date } = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
        t.that(next_billing_date > '2000-01-01', 'a date of this century')
      }
    },
  },
  'getSubscription.tells-the-tax-rate-as-a-decimal': {
    title: '`customer_tax_rate` is a decimal: 0.08 means 8 %.',
    requirements: ['SUBSCRIPTION-3'],
    async run(t) {
      for (const email of subscribers(t)) {
        const { customer_tax_rate = 0 } = await readSubscription(t, email)
        t.that(customer_tax_rate < 1, 'a tax rate below 1')
      }
    },
  },
  'getSubscription.tells-no-date-of-the-past': {
    title: '`next_billing_date` is today or later; yesterday may be today where the shop is.',
    requirements: ['SUBSCRIPTION-6'],
    async run(t) {
      const yesterday = addDays(t.today, -1)
      for (const email of subscribers(t)) {
        const { next_billing_date } = await readSubscription(t, email)
        if (next_billing_date < yesterday) t.equal(next_billing_date, `${t.today} or later`, 'next_billing_date')
      }
    },
  },
  'getSubscription.knows-its-customers': {
    title: 'An unknown customer is 404 with the error body.',
    requirements: ['SUBSCRIPTION-2', 'CUSTOMER-1'],
    async run(t) {
      await expectNone(t, t.profile.customers.unknown, 'customer_not_found')
    },
  },
  'getSubscription.tells-that-there-is-none': {
    title: 'A customer without a subscription is 404 with the error body.',
    requirements: ['SUBSCRIPTION-2'],
    async run(t) {
      await expectNone(t, customerOf(t, 'empty'), 'subscription_not_found')
    },
  },
  'getSubscription.leaves-out-cancelled-ones': {
    title: 'A customer whose subscriptions are all cancelled has no current one.',
    requirements: ['SUBSCRIPTION-2'],
    needs: ['getSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const left = (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
      const known = t.need(t.profile.subscriptions.cancelled, 'subscriptions.cancelled')
      const isUsed = known.some((id) => !left.includes(id))
      if (isUsed) t.spent('a subscription of customers.cancelled was reactivated already')
      t.refused(await t.call('getSubscription', { email }), 'subscription_not_found')
    },
  },
  'getSubscription.returns-what-is-billed-next': {
    title: 'When the current subscription is delayed beyond another one, the other one is current.',
    requirements: ['SUBSCRIPTION-5'],
    mode: 'write',
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const first = await passTheFirst(t).catch((error: unknown) => {
        // Elsewhere nothing can be done then; here it may be the very thing.
        if (error instanceof CheckSkip && error.spent)
          t.that(false, 'the second subscription to become current some day')
        throw error
      })
      const { email, delayed, current } = first
      t.that(current.next_billing_date <= delayed.next_billing_date, 'the subscription with the soonest date')
      const second = await passTheFirst(t)
      t.equal(second.delayed.items, current.items, 'the items of the one that was current')
      t.equal(second.current, delayed, 'the subscription that was delayed first')
      t.equal(await readSubscription(t, email), second.current, 'the same subscription again', 'STATE-1')
    },
  },
})

async function expectNone(t: CheckContext, email: string, code: ErrorCode): Promise<void> {
  const reply = await t.call('getSubscription', { email })
  t.status(reply, 404)
  t.errorBody(reply, 'SUBSCRIPTION-2')
  t.refused(reply, code)
}

/** The ids of the items in an answer, whatever else it holds. */
function itemIds({ json }: Reply): readonly unknown[] {
  const data = isObject(json) && isObject(json['data']) ? json['data'] : {}
  const items: readonly unknown[] = Array.isArray(data['items']) ? data['items'] : []
  return items.flatMap((item) => (isObject(item) && typeof item['id'] === 'string' ? [item['id']] : []))
}

/** The customers with an active subscription. */
function subscribers(t: CheckContext): readonly string[] {
  const { subscribed, otherCustomer } = t.profile.customers
  t.need(subscribed, 'customers.subscribed')
  return [subscribed, otherCustomer].filter((email) => email !== undefined)
}
