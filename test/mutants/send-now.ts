import { seedProfile } from '@storeport/conformance'
import { addDays, addProduct, type CustomerData, sendNow, soonest } from '@storeport/rules'
import { freezeUse, withSubscriptions } from './accounts.ts'
import { answerWith, at, of, replaceText } from './messages.ts'
import { listMutants } from './list-mutants.ts'

const further = ['one@more.example', 'two@more.example']

export const mutants = listMutants({
  rules: {
    sendNow: {
      'sending now is answered, and nothing is done': (account) => account,
    },
  },
  accounts: {
    sendNow: {
      'a second order on one day is sent when something came between': (account) => ({
        ...account,
        last_sent_on: null,
      }),
      'each subscription may be sent once a day': (account) => {
        const isOther = account.orders.at(-1)?.subscription_id !== soonest(account.subscriptions)?.id
        return isOther ? { ...account, last_sent_on: null } : account
      },
    },
  },
  results: {
    sendNow: {
      'the interval is counted from the old billing date': (result, { account }) =>
        withSubscriptions(result, (one) =>
          one.status === 'active' && !account.subscriptions.includes(one)
            ? { ...one, next_billing_date: addDays(one.next_billing_date, 7) }
            : one,
        ),
      'an order ends the additions to every subscription': (sent) => ({ ...sent, adds: [] }),
      'an order changes the shipping cost of the following order': (sent) =>
        withSubscriptions(sent, (one) => ({ ...one, shipping_minor: one.shipping_minor + 100 })),
      'an order leaves one unit of each one-time line': (sent, { account }) =>
        withSubscriptions(sent, (one) => {
          const before = account.subscriptions.find(({ id }) => id === one.id)
          const kept = before?.items.flatMap((item) => (item.one_time ? [{ ...item, quantity: 1 }] : [])) ?? []
          return one === before ? one : { ...one, items: [...one.items, ...kept] }
        }),
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
      'what was sent can be taken back': (sent, { account, input, shop }) => {
        const isOpen = account.adds.length > sent.adds.length
        return isOpen
          ? {
              ...addProduct(
                sent,
                { email: input.email, product_id: account.adds.at(-1)?.product_id ?? '', quantity: 1, one_time: true },
                shop,
              ),
              subscriptions: sent.subscriptions,
              adds: account.adds.map((add) => ({
                ...add,
                item_id: sent.subscriptions.find(({ id }) => id === add.subscription_id)?.items[0]?.id ?? '',
                quantity: 1,
              })),
            }
          : sent
      },
    },
  },
  answer: {
    'sending now is a success for a customer without a subscription': at(
      '/send-now',
      of(404, answerWith(200, { success: true })),
    ),
    'an action answers `{"success":true,"data":null}`': at(
      '/send-now',
      replaceText('{"success":true}', '{"success":true,"data":null}'),
    ),
  },
  several: {
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
