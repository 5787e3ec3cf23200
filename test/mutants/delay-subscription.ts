import { StoreError } from '@storeport/core'
import { addDays, delaySubscription, getSubscription } from '@storeport/rules'
import { billToday, nextOf } from './accounts.ts'
import { answer, at, of } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Delaying the next billing. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the subscription is cached',
    caughtBy: 'delaySubscription.moves-the-date',
    store: (store) => {
      const cache = new Map<string, ReturnType<typeof store.getSubscription>>()
      const read = store.getSubscription
      return {
        getSubscription: (input, context) => {
          const answered = cache.get(input.email) ?? read(input, context)
          cache.set(input.email, answered)
          return answered
        },
      }
    },
  },
  {
    defect: 'a delay is answered, and nothing is done',
    caughtBy: 'delaySubscription.moves-the-date',
    rules: { delaySubscription: (account) => account },
  },
  {
    defect: 'a delay resets the shipping cost',
    caughtBy: 'delaySubscription.moves-the-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        const delayed = delaySubscription(account, input, shop)
        return {
          ...delayed,
          subscriptions: delayed.subscriptions.map((one) => ({ ...one, shipping_minor: one.shipping_minor + 1 })),
        }
      },
    },
  },
  {
    defect: 'a date in the past is ignored, and answered as a success',
    caughtBy: 'delaySubscription.refuses-the-past',
    rules: {
      delaySubscription: (account, input, shop) =>
        input.new_date < shop.today ? account : delaySubscription(account, input, shop),
    },
  },
  {
    defect: 'an order can be brought forward',
    caughtBy: 'delaySubscription.refuses-an-earlier-date',
    rules: {
      delaySubscription: (account, input, shop) =>
        delaySubscription(input.new_date > shop.today ? billToday(account, shop.today) : account, input, shop),
    },
  },
  {
    defect: 'the same date is refused',
    caughtBy: 'delaySubscription.accepts-the-same-date',
    options: { retries: false },
    rules: {
      delaySubscription: (account, input, shop) => {
        if (nextOf(account)?.next_billing_date === input.new_date) throw new StoreError('invalid_date')
        return delaySubscription(account, input, shop)
      },
    },
  },
  {
    defect: 'today is allowed',
    caughtBy: 'delaySubscription.counts-from-tomorrow',
    rules: {
      delaySubscription: (account, input, shop) =>
        input.new_date === shop.today ? account : delaySubscription(account, input, shop),
    },
  },
  {
    defect: 'an order can be delayed by 90 days at most',
    caughtBy: 'delaySubscription.has-no-latest-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        if (input.new_date > addDays(shop.today, 90)) throw new StoreError('invalid_date')
        return delaySubscription(account, input, shop)
      },
    },
  },
  {
    defect: 'a delay is a success for a customer without a subscription',
    caughtBy: 'delaySubscription.wants-a-subscription',
    answer: at(
      '/delay',
      of(404, () => answer(200, { success: true })),
    ),
  },
  {
    defect: 'a date is stored as midnight and comes back a day earlier in another zone',
    caughtBy: 'delaySubscription.shifts-no-date',
    rules: { getSubscription: (account, input, shop) => dayBefore(getSubscription(account, input, shop)) },
  },
  {
    defect: 'a date loses a day while clocks are set forward',
    caughtBy: 'delaySubscription.shifts-no-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        const isSummer = /-0[4-9]-|-10-/.test(input.new_date)
        return delaySubscription(account, isSummer ? { ...input, new_date: addDays(input.new_date, -1) } : input, shop)
      },
    },
  },
  {
    defect: 'an exception for a date in the far future',
    caughtBy: 'delaySubscription.has-no-latest-date',
    rules: {
      delaySubscription: (account, input, shop) => {
        if (input.new_date > addDays(shop.today, 36_000)) throw new StoreError('invalid_date')
        return delaySubscription(account, input, shop)
      },
    },
  },
]

function dayBefore(subscription: ReturnType<typeof getSubscription>): ReturnType<typeof getSubscription> {
  return { ...subscription, next_billing_date: addDays(subscription.next_billing_date, -1) }
}
