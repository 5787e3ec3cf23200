import { StoreError } from '@storeport/core'
import { addDays, getDiscount, listCancelledSubscriptions, reactivateSubscription } from '@storeport/rules'
import { answer, at, of, replaced } from './messages.ts'
import type { Mutant } from './mutant.ts'

const none = { discount_code: 'no code at all' }

/** The come-back list, custom actions and discount codes. */
export const comingBack: readonly Mutant[] = [
  {
    defect: 'the oldest subscription stands first',
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
    defect: 'the code of a reactivation is not looked at',
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
    defect: 'an unknown customer is told that the subscription is unknown',
    caughtBy: 'reactivateSubscription.knows-its-customers',
    answer: at('/reactivate/subscription', replaced('customer_not_found', 'subscription_not_found')),
  },
  {
    defect: 'any action is run',
    caughtBy: 'runCustomAction.refuses-an-unknown-action',
    answer: at('/custom-action', (answered) =>
      answered.body.includes('action_not_found') ? answer(200, { success: true }) : answered,
    ),
  },
  {
    defect: 'actions are looked up in a plain object',
    caughtBy: 'runCustomAction.refuses-an-unknown-action',
    store: ({ runCustomAction }) => ({
      runCustomAction: async (input, context) => (input.action_id in {} ? undefined : runCustomAction(input, context)),
    }),
  },
  {
    defect: 'a known action is not registered',
    caughtBy: 'runCustomAction.runs-a-known-action',
    store: () => ({ runCustomAction: () => Promise.reject(new StoreError('action_not_found')) }),
  },
  {
    defect: 'an action is run for anybody',
    caughtBy: 'runCustomAction.knows-its-customers',
    answer: at('/custom-action', (answered) =>
      answered.body.includes('customer_not_found') ? answer(200, { success: true }) : answered,
    ),
  },
  {
    defect: 'an unknown code is 200 with nothing',
    caughtBy: 'getDiscount.refuses-an-unknown-code',
    answer: at(
      '/get-discount',
      of(404, () => answer(200, { success: true, data: {} })),
    ),
  },
  {
    defect: 'a code matches by its start',
    caughtBy: 'getDiscount.refuses-an-unknown-code',
    rules: {
      getDiscount: (account, input, shop) =>
        getDiscount(account, { discount_code: input.discount_code === 'TEST1' ? 'TEST10' : input.discount_code }, shop),
    },
  },
  {
    defect: 'the expiry of a code is not looked at',
    caughtBy: 'getDiscount.refuses-an-expired-code',
    rules: { getDiscount: (account, input, shop) => getDiscount(account, input, { ...shop, today: '2000-01-01' }) },
  },
  {
    defect: 'a code is found in upper case alone',
    caughtBy: 'getDiscount.ignores-the-letter-case',
    rules: {
      getDiscount: (account, input, shop) =>
        getDiscount(account, /[a-z]/.test(input.discount_code) ? none : input, shop),
    },
  },
  {
    defect: 'space around a code is not cut off',
    caughtBy: 'getDiscount.ignores-the-letter-case',
    rules: {
      getDiscount: (account, input, shop) =>
        getDiscount(account, input.discount_code.includes(' ') ? none : input, shop),
    },
  },
  {
    defect: 'a percentage is a fraction',
    caughtBy: 'getDiscount.tells-a-percentage',
    answer: replaced('"discount_percentage":10', '"discount_percentage":0.1'),
  },
  {
    defect: 'an amount of 0 stands beside a percentage',
    caughtBy: 'getDiscount.tells-a-percentage',
    answer: replaced('"discount_percentage":10', '"discount_percentage":10,"discount_amount":0'),
  },
  {
    defect: 'a fixed amount is in minor units',
    caughtBy: 'getDiscount.tells-a-fixed-amount',
    answer: replaced('"discount_amount":5', '"discount_amount":500'),
  },
  {
    defect: 'the type of a fixed amount has another name',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaced('fixed_amount', 'fixed'),
  },
  {
    defect: 'amounts of discounts are texts',
    caughtBy: 'getDiscount.answers-with-a-discount',
    answer: replaced('"discount_amount":5', '"discount_amount":"5.00"'),
  },
]
