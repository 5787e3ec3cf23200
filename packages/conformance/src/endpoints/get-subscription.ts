import { addDays, CurrentSubscription, type ErrorCode } from '@storeport/core'
import { type Check, type CheckContext, define, readingAShop } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { isObject, type Reply } from '../http/reply.ts'
import { customerOf, readCancelled, readSubscription } from '../shop/customers.ts'
import { makeAnotherCurrent } from '../shop/changes.ts'

const { must, should } = about('current subscription')

export const requirements: Requirements = {
  'SUBSCRIPTION-1': must(
    'The data is a current subscription, and each field has the correct type.',
    'A required field is missing, an id is a number, a price is a string, or the date includes a time.',
  ),
  'SUBSCRIPTION-2': must(
    'A request for an unknown customer, or for a customer without a subscription, returns 404 with the error body.',
    'The response is 200 with `null` or an empty object, or the framework returns its own 404 page.',
  ),
  'SUBSCRIPTION-3': must('`customer_tax_rate` is a decimal: 0.08 means 8%.', 'The rate is sent as a percentage.'),
  'SUBSCRIPTION-4': must('Item ids are unique.', "A recurring and a one-time line both have the product's id."),
  'SUBSCRIPTION-5': should(
    'If a customer has several active subscriptions, the subscription that is billed next is returned.',
    'The first database row is returned, regardless of its date.',
  ),
  'SUBSCRIPTION-6': should(
    '`next_billing_date` is never in the past.',
    "The date does not advance because no order is created on the billing day, or the last order's date is returned.",
  ),
}

export const checks: readonly Check[] = define({ ...readingAShop, needs: ['getSubscription'] }, requirements, {
  'getSubscription.returns-a-subscription': {
    requirements: ['SUBSCRIPTION-1', 'SUBSCRIPTION-4', 'JSON-1', 'JSON-5'],
    layer: 'wire',
    async run(t) {
      for (const email of subscribers(t)) {
        const reply = await t.call('getSubscription', { email })
        // Compares the ids first, since the schema validation would report duplicate ids as another requirement.
        const ids = itemIds(reply)
        t.equal(new Set(ids).size, ids.length, 'the number of item ids', reply, 'SUBSCRIPTION-4')
        const { next_billing_date } = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
        t.ok(next_billing_date > '2000-01-01', 'a date after 2000-01-01')
      }
    },
  },
  'getSubscription.returns-no-past-date': {
    title:
      '`customer_tax_rate` is a decimal: 0.08 means 8%. `next_billing_date` is not in the past. The check allows yesterday because of time zones.',
    requirements: ['SUBSCRIPTION-6', 'SUBSCRIPTION-3'],
    async run(t) {
      for (const email of subscribers(t)) {
        const { customer_tax_rate = 0, next_billing_date } = await readSubscription(t, email)
        t.ok(customer_tax_rate < 1, 'a tax rate below 1', 'SUBSCRIPTION-3')
        const isPast = next_billing_date < addDays(t.today, -1)
        t.equal(next_billing_date, isPast ? `${t.today} or later` : next_billing_date, 'next_billing_date')
      }
    },
  },
  'getSubscription.rejects-unknown-customers': {
    title: 'A request for an unknown customer returns 404 with the error body.',
    requirements: ['SUBSCRIPTION-2', 'CUSTOMER-1'],
    run: (t) => expectNone(t, t.profile.customers.unknown, 'customer_not_found'),
  },
  'getSubscription.returns-404-without-a-subscription': {
    title: 'A request for a customer without a subscription returns 404 with the error body.',
    requirements: ['SUBSCRIPTION-2'],
    run: (t) => expectNone(t, customerOf(t, 'empty'), 'subscription_not_found'),
  },
  'getSubscription.omits-cancelled-subscriptions': {
    title: 'A customer whose subscriptions are all cancelled has no current subscription.',
    requirements: ['SUBSCRIPTION-2'],
    needs: ['getSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const left = (await readCancelled(t, email)).map(({ subscription_id }) => subscription_id)
      const known = t.need(t.profile.subscriptions.cancelled, 'subscriptions.cancelled')
      const isUsed = known.some((id) => !left.includes(id))
      if (isUsed)
        t.skipUsed('a subscription of customers.cancelled has already been reactivated', 'reactivateSubscription')
      t.rejected(await t.call('getSubscription', { email }), 'subscription_not_found')
    },
  },
  'getSubscription.returns-the-subscription-billed-next': {
    requirements: ['SUBSCRIPTION-5'],
    mode: 'write',
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const { email, delayed, current } = await makeOtherCurrent(t)
      t.ok(current.next_billing_date <= delayed.next_billing_date, 'the subscription with the earliest date')
      const second = await makeOtherCurrent(t)
      t.equal(second.delayed.items, current.items, 'the items of the previously current subscription')
      t.equal(second.current, delayed, 'the subscription that was delayed first')
      t.equal(await readSubscription(t, email), second.current, 'the same subscription again', 'STATE-1')
    },
  },
})

/** Fails instead of skipping: if the other subscription never becomes current, the shop may be defective. */
function makeOtherCurrent(t: CheckContext) {
  return makeAnotherCurrent(t).catch((error: unknown) => {
    if (error instanceof CheckSkip && error.skipCause.kind === 'spent')
      t.ok(false, 'the other subscription to become current')
    throw error
  })
}

async function expectNone(t: CheckContext, email: string, code: ErrorCode): Promise<void> {
  const reply = await t.call('getSubscription', { email })
  t.status(reply, 404)
  t.errorBody(reply, 'SUBSCRIPTION-2')
  t.rejected(reply, code, code === 'customer_not_found' ? 'CUSTOMER-1' : 'SUBSCRIPTION-2')
}

/** Returns the item ids of a response, even if the rest of the response is invalid. */
function itemIds({ json }: Reply): readonly unknown[] {
  const data = isObject(json) && isObject(json['data']) ? json['data'] : {}
  const items: readonly unknown[] = Array.isArray(data['items']) ? data['items'] : []
  return items.flatMap((item) => (isObject(item) && typeof item['id'] === 'string' ? [item['id']] : []))
}

/** Returns the test customers with an active subscription. */
function subscribers(t: CheckContext): readonly string[] {
  const { subscribed, otherCustomer } = t.profile.customers
  t.need(subscribed, 'customers.subscribed')
  return [subscribed, otherCustomer].filter((email) => email !== undefined)
}
