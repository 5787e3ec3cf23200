import { StoreError } from '@storeport/core'
import { listCancelledSubscriptions } from '@storeport/rules'
import { answer, at, of, replaceText } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Listing the subscriptions that can be reactivated. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the oldest subscription comes first',
    caughtBy: 'listCancelledSubscriptions.puts-the-latest-first',
    rules: {
      listCancelledSubscriptions: (account, input, shop) => ({
        subscriptions: listCancelledSubscriptions(account, input, shop).subscriptions.toReversed(),
      }),
    },
  },
  {
    defect: 'subscriptions that are too old are listed',
    caughtBy: 'listCancelledSubscriptions.leaves-out-what-is-too-old',
    rules: {
      listCancelledSubscriptions: (account, input, shop) =>
        listCancelledSubscriptions(account, input, { ...shop, reactivation_days: 9999 }),
    },
  },
  {
    defect: 'active subscriptions are listed too',
    caughtBy: 'listCancelledSubscriptions.leaves-out-what-is-too-old',
    rules: {
      listCancelledSubscriptions: (account, input, shop) => {
        const subscriptions = account.subscriptions.map((one) => ({
          ...one,
          status: 'cancelled' as const,
          next_billing_date: null,
          cancelled_on: one.cancelled_on ?? shop.today,
        }))
        return listCancelledSubscriptions({ ...account, subscriptions }, input, shop)
      },
    },
  },
  {
    defect: 'an unknown customer gets an empty list',
    caughtBy: 'listCancelledSubscriptions.may-be-empty',
    answer: at(
      '/cancelled-subscriptions',
      of(404, () => answer(200, { success: true, data: { subscriptions: [] } })),
    ),
  },
  {
    defect: 'an empty list is 404',
    caughtBy: 'listCancelledSubscriptions.may-be-empty',
    rules: {
      listCancelledSubscriptions: (account, input, shop) => {
        const list = listCancelledSubscriptions(account, input, shop)
        if (list.subscriptions.length === 0) throw new StoreError('subscription_not_found')
        return list
      },
    },
  },
  {
    defect: '`data` is called `result`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: replaceText('"data":', '"result":'),
  },
  {
    defect: 'titles are called `name`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: replaceText('"title":', '"name":'),
  },
  {
    defect: 'the products of a cancelled subscription are called `items`',
    caughtBy: 'listCancelledSubscriptions.answers-with-subscriptions',
    answer: at('/cancelled-subscriptions', replaceText('"products":', '"items":')),
  },
]
