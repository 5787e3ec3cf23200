import { StoreError } from '@storeport/core'
import { addDays, delaySubscription, soonest } from '@storeport/rules'
import { withSubscriptions } from './accounts.ts'
import { at, of, answerWith } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    delaySubscription: {
      'a delay is answered, and nothing is done': (account) => account,
      'a date in the past is ignored, and answered as a success': (account, input, shop) =>
        input.new_date < shop.today ? account : delaySubscription(account, input, shop),
      'today is allowed': (account, input, shop) =>
        input.new_date === shop.today ? account : delaySubscription(account, input, shop),
    },
  },
  inputs: {
    delaySubscription: {
      'an order can be delayed by 90 days at most': (input, { shop }) => {
        if (input.new_date > addDays(shop.today, 90)) throw new StoreError('invalid_date')
        return input
      },
      'a date loses a day while clocks are set forward': (input) => {
        const isSummer = /-0[4-9]-|-10-/.test(input.new_date)
        return isSummer ? { ...input, new_date: addDays(input.new_date, -1) } : input
      },
      'an exception for a date in the far future': (input, { shop }) => {
        if (input.new_date > addDays(shop.today, 36_000)) throw new StoreError('invalid_date')
        return input
      },
    },
  },
  accounts: {
    delaySubscription: {
      'an order can be brought forward': (account, { input, shop }) =>
        withSubscriptions(account, (one) =>
          one.status === 'active' && input.new_date > shop.today && one === soonest(account.subscriptions)
            ? { ...one, next_billing_date: shop.today }
            : one,
        ),
    },
  },
  results: {
    delaySubscription: {
      'a delay resets the shipping cost': (delayed) =>
        withSubscriptions(delayed, (one) => ({ ...one, shipping_minor: one.shipping_minor + 1 })),
    },
    getSubscription: {
      'a date is stored as midnight and comes back a day earlier in another zone': (result) => ({
        ...result,
        next_billing_date: addDays(result.next_billing_date, -1),
      }),
    },
  },
  methods: {
    getSubscription: {
      'the subscription is cached': (_, store) => {
        const cache = new Map<string, ReturnType<typeof store.getSubscription>>()
        const read = store.getSubscription
        return (input, context) => {
          const answered = cache.get(input.email) ?? read(input, context)
          cache.set(input.email, answered)
          return answered
        }
      },
    },
  },
  answer: {
    'a delay is a success for a customer without a subscription': at(
      '/delay',
      of(404, answerWith(200, { success: true })),
    ),
  },
  several: {
    'the same date is refused': {
      options: { retries: false },
      rules: {
        delaySubscription: (account, input, shop) => {
          if (soonest(account.subscriptions)?.next_billing_date === input.new_date) throw new StoreError('invalid_date')
          return delaySubscription(account, input, shop)
        },
      },
    },
  },
})
