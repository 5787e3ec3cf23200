import { addDays, reactivateSubscription } from '@storeport/rules'
import { answer, at, of, replaceText } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Reactivating a cancelled subscription. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'a reactivation is answered, and nothing is done',
    caughtBy: 'reactivateSubscription.makes-it-active',
    rules: {
      reactivateSubscription: (account, input, shop) => (reactivateSubscription(account, input, shop), account),
    },
  },
  {
    defect: 'a reactivated subscription stays on the list',
    caughtBy: 'reactivateSubscription.makes-it-active',
    rules: {
      reactivateSubscription: (account, input, shop) => {
        const { subscriptions, ...rest } = reactivateSubscription(account, input, shop)
        return {
          ...rest,
          subscriptions: [...subscriptions, ...account.subscriptions.filter(({ status }) => status === 'cancelled')],
        }
      },
    },
  },
  {
    defect: 'a reactivated subscription is billed in a month',
    caughtBy: 'reactivateSubscription.makes-it-active',
    rules: {
      reactivateSubscription: (account, input, shop) =>
        reactivateSubscription(account, input, { ...shop, today: addDays(shop.today, 29) }),
    },
  },
  {
    defect: 'a reactivated subscription comes back with one unit of each item',
    caughtBy: 'reactivateSubscription.makes-it-active',
    rules: {
      reactivateSubscription: (account, input, shop) => {
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
    },
  },
  {
    defect: 'an active subscription is reactivated without a word',
    caughtBy: 'reactivateSubscription.refuses-what-is-active',
    rules: {
      reactivateSubscription: (account, input, shop) => {
        const isActive = account.subscriptions.some(
          ({ id, status }) => id === input.subscription_id && status === 'active',
        )
        return isActive ? account : reactivateSubscription(account, input, shop)
      },
    },
  },
  {
    defect: 'a subscription that is too old can be reactivated',
    caughtBy: 'reactivateSubscription.refuses-what-is-too-old',
    rules: {
      reactivateSubscription: (account, input, shop) =>
        reactivateSubscription(account, input, { ...shop, reactivation_days: 9999 }),
    },
  },
  {
    defect: 'a subscription that is not there is a success',
    caughtBy: 'reactivateSubscription.refuses-what-is-not-there',
    answer: (answered) =>
      answered.body.includes('subscription_not_found') && answered.status === 404
        ? answer(200, { success: true })
        : answered,
  },
  {
    defect: 'the code of a reactivation is not checked',
    caughtBy: 'reactivateSubscription.takes-a-percentage-off',
    rules: {
      reactivateSubscription: (account, input, shop) =>
        reactivateSubscription(account, { ...input, discount_code: undefined }, shop),
    },
  },
  {
    defect: 'a bad code of a reactivation is ignored',
    caughtBy: 'reactivateSubscription.refuses-a-bad-code',
    rules: {
      reactivateSubscription: (account, input, shop) => {
        const isBad = input.discount_code !== undefined && input.discount_code.toUpperCase() !== 'TEST10'
        return reactivateSubscription(account, isBad ? { ...input, discount_code: undefined } : input, shop)
      },
    },
  },
  {
    defect: 'the answer for an unknown customer is that the subscription is unknown',
    caughtBy: 'reactivateSubscription.knows-its-customers',
    answer: at('/reactivate/subscription', replaceText('customer_not_found', 'subscription_not_found')),
  },
  {
    defect: 'an action answers 201',
    caughtBy: 'reactivateSubscription.makes-it-active',
    answer: at(
      '/reactivate/subscription',
      of(200, (answered) => ({ ...answered, status: 201 })),
    ),
  },
]
