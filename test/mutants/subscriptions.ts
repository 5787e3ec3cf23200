import { seedProfile } from '@storeport/conformance'
import { StoreError } from '@storeport/core'
import {
  addDays,
  type CustomerData,
  delaySubscription,
  reactivateSubscription,
  sendNow,
  soonest,
} from '@storeport/rules'
import { doubleAmounts, freezeUse, withItems, withSubscriptions } from './accounts.ts'
import { listMutants } from './list-mutants.ts'
import { at, changeField, done, failure, fieldsOf, isTo, of, replaceText, type Sent, withStatus } from './messages.ts'

const further = ['one@more.example', 'two@more.example']

/** Defects in delays, orders, reactivations and custom actions. */
export const mutants = listMutants({
  rules: {
    delaySubscription: {
      'a delay is answered, and nothing is done': (account) => account,
      'a date in the past is ignored, and answered as a success': (account, input, shop) =>
        input.new_date < shop.today ? account : delaySubscription(account, input, shop),
      'today is allowed': (account, input, shop) =>
        input.new_date === shop.today ? account : delaySubscription(account, input, shop),
    },
    sendNow: {
      'sending now is answered, and nothing is done': (account) => account,
    },
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
    delaySubscription: {
      'a date loses a day while clocks are set forward': (input) => {
        const isSummer = /-0[4-9]-|-10-/.test(input.new_date)
        return isSummer ? { ...input, new_date: addDays(input.new_date, -1) } : input
      },
      'an exception for a date in the far future': (input, { shop }) => {
        if (input.new_date > addDays(shop.today, 36_000)) throw new StoreError('invalid_date')
        return input
      },
    },
    reactivateSubscription: {
      'the code of a reactivation is not checked': (input) => ({ ...input, discount_code: undefined }),
      'a bad code of a reactivation is ignored': (input) => {
        const isBad = input.discount_code !== undefined && input.discount_code.toUpperCase() !== 'TEST10'
        return isBad ? { ...input, discount_code: undefined } : input
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
    sendNow: {
      'a second order on one day is sent when something came between': (account) => ({
        ...account,
        last_sent_on: null,
      }),
    },
  },
  results: {
    delaySubscription: {
      'a delay resets the shipping cost': (delayed) =>
        withSubscriptions(delayed, (one) => ({ ...one, shipping_minor: one.shipping_minor + 1 })),
    },
    sendNow: {
      'an order ends the additions to every subscription': (sent) => ({ ...sent, adds: [] }),
      'an order changes the shipping cost of the following order': (sent) =>
        withSubscriptions(sent, (one) => ({ ...one, shipping_minor: one.shipping_minor + 100 })),
      'a fixed amount remains for the following order': (sent, { account }) => ({
        ...sent,
        discount_uses: sent.discount_uses.map((use) => {
          const before = account.discount_uses.find(({ id }) => id === use.id)
          return before?.kind === 'fixed_amount' ? freezeUse(before, account) : use
        }),
      }),
      'one-time lines stay after their order': (sent, { account }) => {
        const itemsBefore = (id: string) => account.subscriptions.find((one) => one.id === id)?.items ?? []
        return withSubscriptions(sent, (one) => ({ ...one, items: itemsBefore(one.id) }))
      },
    },
    reactivateSubscription: {
      'a reactivation is answered, and nothing is done': (_, { account }) => account,
      'a reactivation takes a fixed amount off each item': doubleAmounts,
      'a reactivation permits a second order on the same day': (result) => ({
        ...result,
        last_sent_on: null,
        last_sent_at: null,
      }),
      'a reactivated subscription stays on the list': (result, { account }) => {
        const cancelled = account.subscriptions.filter(({ status }) => status === 'cancelled')
        return { ...result, subscriptions: [...result.subscriptions, ...cancelled] }
      },
      'a reactivated subscription comes back with one unit of each item': (back) =>
        withItems(back, (item) => [{ ...item, quantity: 1 }]),
    },
  },
  methods: {
    runCustomAction: {
      'actions are looked up in a plain object': (runCustomAction) => async (input, context) =>
        input.action_id in {} ? undefined : runCustomAction(input, context),
      'a known action is not registered': () => () => Promise.reject(new StoreError('action_not_found')),
    },
  },
  request: {
    ...Object.fromEntries(
      ['test@example.com', 'cancelled@example.com', 'another@example.com'].map((email) => [
        `custom actions look for something that ${email} has not`,
        (sent: Sent) =>
          isTo(sent, 'runCustomAction') && fieldsOf(sent)['email'] === email
            ? failure(404, 'subscription_not_found')
            : sent,
      ]),
    ),
    'a reactivation does not know fixed codes': changeField('discount_code', (code) =>
      code === 'FIVEOFF' ? undefined : code,
    ),
  },
  bodies: {
    'the 31st is shown as the 30th': [/-31"/g, '-30"'],
  },
  answer: {
    'a delay is a success for a customer without a subscription': at(
      '/delay',
      of(404, () => done),
    ),
    'sending now is a success for a customer without a subscription': at(
      '/send-now',
      of(404, () => done),
    ),
    'an action answers `{"success":true,"data":null}`': at(
      '/send-now',
      replaceText('{"success":true}', '{"success":true,"data":null}'),
    ),
    'a subscription that is not there is a success': (answered) =>
      answered.body.includes('subscription_not_found') && answered.status === 404 ? done : answered,
    'the answer for an unknown customer is that the subscription is unknown': at(
      '/reactivate/subscription',
      replaceText('customer_not_found', 'subscription_not_found'),
    ),
    'an action answers 201': at('/reactivate/subscription', of(200, withStatus(201))),
    'any action is run': at('/custom-action', (answered) =>
      answered.body.includes('action_not_found') ? done : answered,
    ),
    'an action is run for anybody': at('/custom-action', (answered) =>
      answered.body.includes('customer_not_found') ? done : answered,
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
    'an order of one further customer is sent twice': {
      profile: { ...seedProfile, customers: { ...seedProfile.customers, more: further } },
      data: ({ customers, ...data }) => ({ ...data, customers: [...customers, ...further.map(createSubscriber)] }),
      rules: {
        sendNow: (account, input, shop) => {
          const sent = sendNow(account, input, shop)
          return input.email === further[1] ? sendNow({ ...sent, last_sent_on: null }, input, shop) : sent
        },
      },
    },
    'every click ships an order': {
      options: { retries: false },
      rules: { sendNow: (account, input, shop) => sendNow({ ...account, last_sent_on: null }, input, shop) },
    },
  },
})

/** Creates a customer with two subscriptions. */
function createSubscriber(email: string): CustomerData {
  const subscriptions = ['2026-03-20', '2026-03-21'].map((next_billing_date, index) => ({
    id: `${email} ${index}`,
    next_billing_date,
    items: [{ id: `${email} item ${index}`, product_id: index === 0 ? 'test_12345' : 'test_54321' }],
  }))
  return { email, subscriptions }
}
