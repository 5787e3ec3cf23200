import { StoreError } from '@storeport/core'
import { addDays, delaySubscription } from '@storeport/rules'
import { billedToday, nextOf } from './accounts.ts'
import { answer, at, of } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** The customer portal: delaying. */
export const delaying: readonly Mutant[] = [
  {
    defect: 'a delay is answered, and nothing is done',
    caughtBy: 'delaySubscription.moves-the-date',
    rules: { delaySubscription: (account) => account },
  },
  {
    defect: 'a delay moves every subscription of the customer',
    caughtBy: 'getSubscription.returns-what-is-billed-next',
    rules: {
      delaySubscription: (account, input, shop) => {
        const delayed = delaySubscription(account, input, shop)
        const next_billing_date = input.new_date
        const subscriptions = delayed.subscriptions.map((one) =>
          one.status === 'active' ? { ...one, next_billing_date } : one,
        )
        return { ...delayed, subscriptions }
      },
    },
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
        delaySubscription(input.new_date > shop.today ? billedToday(account, shop.today) : account, input, shop),
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
]
