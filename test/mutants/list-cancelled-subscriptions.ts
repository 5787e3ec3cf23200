import { StoreError } from '@storeport/core'
import { listCancelledSubscriptions } from '@storeport/rules'
import { withSubscriptions } from './accounts.ts'
import { at, of, replaceText, answerWith } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    listCancelledSubscriptions: {
      'subscriptions that are too old are listed': (account, input, shop) =>
        listCancelledSubscriptions(account, input, { ...shop, reactivation_days: 9999 }),
    },
  },
  accounts: {
    listCancelledSubscriptions: {
      'active subscriptions are listed too': (account, { shop }) =>
        withSubscriptions(account, (one) => ({
          ...one,
          status: 'cancelled',
          next_billing_date: null,
          cancelled_on: one.cancelled_on ?? shop.today,
        })),
    },
  },
  results: {
    listCancelledSubscriptions: {
      'the oldest subscription comes first': (result) => ({
        subscriptions: result.subscriptions.toReversed(),
      }),
      'an empty list is 404': (list) => {
        if (list.subscriptions.length === 0) throw new StoreError('subscription_not_found')
        return list
      },
    },
  },
  bodies: {
    '`data` is called `result`': ['"data":', '"result":'],
    'titles are called `name`': ['"title":', '"name":'],
  },
  answer: {
    'an unknown customer gets an empty list': at(
      '/cancelled-subscriptions',
      of(404, answerWith(200, { success: true, data: { subscriptions: [] } })),
    ),
    'the products of a cancelled subscription are called `items`': at(
      '/cancelled-subscriptions',
      replaceText('"products":', '"items":'),
    ),
  },
})
