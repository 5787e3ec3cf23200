import { addDays, reactivateSubscription } from '@storeport/rules'
import { withItems } from './accounts.ts'
import { at, done, of, replaceText, withStatus } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    reactivateSubscription: {
      'a reactivated subscription is billed in a month': (account, input, shop) =>
        reactivateSubscription(account, input, { ...shop, today: addDays(shop.today, 29) }),
      'an active subscription is reactivated without a word': (account, input, shop) => {
        const isActive = account.subscriptions.some(
          ({ id, status }) => id === input.subscription_id && status === 'active',
        )
        return isActive ? account : reactivateSubscription(account, input, shop)
      },
      'a subscription that is too old can be reactivated': (account, input, shop) =>
        reactivateSubscription(account, input, { ...shop, reactivation_days: 9999 }),
    },
  },
  inputs: {
    reactivateSubscription: {
      'the code of a reactivation is not checked': (input) => ({ ...input, discount_code: undefined }),
      'a bad code of a reactivation is ignored': (input) => {
        const isBad = input.discount_code !== undefined && input.discount_code.toUpperCase() !== 'TEST10'
        return isBad ? { ...input, discount_code: undefined } : input
      },
    },
  },
  results: {
    reactivateSubscription: {
      'a reactivation is answered, and nothing is done': (_, { account }) => account,
      'a reactivation permits a second order on the same day': (result) => ({
        ...result,
        last_sent_on: null,
        last_sent_at: null,
      }),
      'the percentage of a reactivation is of one unit of each item': (result) => ({
        ...result,
        discount_uses: result.discount_uses.map((use) => ({
          ...use,
          items: use.items.map((units) => ({ ...units, quantity: 1 })),
        })),
      }),
      'a reactivated subscription stays on the list': (result, { account }) => {
        const cancelled = account.subscriptions.filter(({ status }) => status === 'cancelled')
        return { ...result, subscriptions: [...result.subscriptions, ...cancelled] }
      },
      'a reactivated subscription comes back with one unit of each item': (back) =>
        withItems(back, (item) => [{ ...item, quantity: 1 }]),
    },
  },
  answer: {
    'a subscription that is not there is a success': (answered) =>
      answered.body.includes('subscription_not_found') && answered.status === 404 ? done : answered,
    'the answer for an unknown customer is that the subscription is unknown': at(
      '/reactivate/subscription',
      replaceText('customer_not_found', 'subscription_not_found'),
    ),
    'an action answers 201': at('/reactivate/subscription', of(200, withStatus(201))),
  },
})
