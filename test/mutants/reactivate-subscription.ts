import { addDays, reactivateSubscription } from '@storeport/rules'
import { answer, at, of, replaceText } from './messages.ts'
import { listMutants } from './mutant.ts'

/** Reactivating a cancelled subscription. */
export const mutants = listMutants({
  rules: {
    reactivateSubscription: {
      'reactivateSubscription.makes-it-active: a reactivation is answered, and nothing is done': (
        account,
        input,
        shop,
      ) => (reactivateSubscription(account, input, shop), account),
      'reactivateSubscription.makes-it-active: a reactivated subscription stays on the list': (
        account,
        input,
        shop,
      ) => {
        const { subscriptions, ...rest } = reactivateSubscription(account, input, shop)
        return {
          ...rest,
          subscriptions: [...subscriptions, ...account.subscriptions.filter(({ status }) => status === 'cancelled')],
        }
      },
      'reactivateSubscription.makes-it-active: a reactivated subscription is billed in a month': (
        account,
        input,
        shop,
      ) => reactivateSubscription(account, input, { ...shop, today: addDays(shop.today, 29) }),
      'reactivateSubscription.makes-it-active: a reactivated subscription comes back with one unit of each item': (
        account,
        input,
        shop,
      ) => {
        const back = reactivateSubscription(account, input, shop)
        const one = (items: (typeof back.subscriptions)[number]['items']) =>
          items.map((item) => ({ ...item, quantity: 1 }))
        return {
          ...back,
          subscriptions: back.subscriptions.map((each) =>
            each.id === input.subscription_id ? { ...each, items: one(each.items) } : each,
          ),
        }
      },
      'reactivateSubscription.refuses-what-is-active: an active subscription is reactivated without a word': (
        account,
        input,
        shop,
      ) => {
        const isActive = account.subscriptions.some(
          ({ id, status }) => id === input.subscription_id && status === 'active',
        )
        return isActive ? account : reactivateSubscription(account, input, shop)
      },
      'reactivateSubscription.refuses-what-is-too-old: a subscription that is too old can be reactivated': (
        account,
        input,
        shop,
      ) => reactivateSubscription(account, input, { ...shop, reactivation_days: 9999 }),
      'reactivateSubscription.takes-a-percentage-off: the code of a reactivation is not checked': (
        account,
        input,
        shop,
      ) => reactivateSubscription(account, { ...input, discount_code: undefined }, shop),
      'reactivateSubscription.refuses-a-bad-code: a bad code of a reactivation is ignored': (account, input, shop) => {
        const isBad = input.discount_code !== undefined && input.discount_code.toUpperCase() !== 'TEST10'
        return reactivateSubscription(account, isBad ? { ...input, discount_code: undefined } : input, shop)
      },
    },
  },
  answer: {
    'reactivateSubscription.refuses-what-is-not-there: a subscription that is not there is a success': (answered) =>
      answered.body.includes('subscription_not_found') && answered.status === 404
        ? answer(200, { success: true })
        : answered,
    'reactivateSubscription.knows-its-customers: the answer for an unknown customer is that the subscription is unknown':
      at('/reactivate/subscription', replaceText('customer_not_found', 'subscription_not_found')),
    'reactivateSubscription.makes-it-active: an action answers 201': at(
      '/reactivate/subscription',
      of(200, (answered) => ({ ...answered, status: 201 })),
    ),
  },
})
