import { addProduct, getSubscription, sendNow } from '@storeport/rules'
import { nextOf, firstOf, active, recurringOnly, laterBy } from './accounts.ts'
import { answer, at, of } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** The customer portal: the subscription, and sending it now. */
export const portal: readonly Mutant[] = [
  {
    defect: 'an unknown customer is 200 with nothing',
    caughtBy: 'getSubscription.knows-its-customers',
    answer: at(
      '/subscription',
      of(404, () => answer(200, { success: true, data: null })),
    ),
  },
  {
    defect: 'no subscription is an empty one',
    caughtBy: 'getSubscription.tells-that-there-is-none',
    answer: at(
      '/subscription',
      of(404, () => answer(200, { success: true, data: { next_billing_date: '2030-01-01', items: [] } })),
    ),
  },
  {
    defect: 'a customer without a subscription is unknown',
    caughtBy: 'getSubscription.tells-that-there-is-none',
    find: (email, accounts) => {
      const account = accounts.get(email.toLowerCase())
      return account?.subscriptions.length === 0 ? undefined : account
    },
  },
  {
    defect: 'a cancelled subscription counts as current when there is no other',
    caughtBy: 'getSubscription.leaves-out-cancelled-ones',
    rules: {
      getSubscription: (account, input, shop) =>
        getSubscription({ ...account, subscriptions: account.subscriptions.map(active) }, input, shop),
    },
  },
  {
    defect: 'the first subscription is current, whatever its date',
    caughtBy: 'getSubscription.returns-what-is-billed-next',
    rules: { getSubscription: (account, input, shop) => getSubscription(firstOf(account), input, shop) },
  },
  {
    defect: 'the subscription is cached',
    caughtBy: 'delaySubscription.moves-the-date',
    store: (store) => {
      const cache = new Map<string, ReturnType<typeof store.getSubscription>>()
      const read = store.getSubscription
      return {
        getSubscription: (input, context) => {
          const answered = cache.get(input.email) ?? read(input, context)
          cache.set(input.email, answered)
          return answered
        },
      }
    },
  },
  {
    defect: 'the price of a whole line is sent',
    caughtBy: 'addProduct.adds-a-new-product',
    rules: {
      getSubscription: (account, input, shop) => {
        const subscription = getSubscription(account, input, shop)
        return {
          ...subscription,
          items: subscription.items.map((item) => ({ ...item, price: item.price * item.quantity })),
        }
      },
    },
  },
  {
    defect: 'one-time lines are not shown',
    caughtBy: 'addProduct.adds-to-the-next-order-only',
    rules: { getSubscription: (account, input, shop) => getSubscription(recurringOnly(account), input, shop) },
  },
  {
    defect: 'sending now is answered, and nothing is done',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account) => account },
  },
  {
    defect: 'a month is taken for 30 days, and 31 where that fits',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account, input, shop) => laterBy(2, account, sendNow(account, input, shop)) },
  },
  {
    defect: 'the interval is counted from the old billing date',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account, input, shop) => laterBy(7, account, sendNow(account, input, shop)) },
  },
  {
    defect: 'every click ships an order',
    caughtBy: 'sendNow.ships-once-for-a-repeated-click',
    options: { retries: false },
    rules: { sendNow: (account, input, shop) => sendNow({ ...account, last_sent_on: null }, input, shop) },
  },
  {
    defect: 'a second order on one day is sent when something came between',
    caughtBy: 'sendNow.refuses-a-second-one-on-one-day',
    rules: { sendNow: (account, input, shop) => sendNow({ ...account, last_sent_on: null }, input, shop) },
  },
  {
    defect: 'each subscription may be sent once a day',
    caughtBy: 'sendNow.refuses-a-second-one-for-another-subscription',
    rules: {
      sendNow: (account, input, shop) => {
        const isOther = account.orders.at(-1)?.subscription_id !== nextOf(account)?.id
        return sendNow(isOther ? { ...account, last_sent_on: null } : account, input, shop)
      },
    },
  },
  {
    defect: 'one-time lines stay after their order',
    caughtBy: 'sendNow.uses-up-one-time-lines',
    rules: {
      sendNow: (account, input, shop) => {
        const sent = sendNow(account, input, shop)
        const itemsBefore = (id: string) => account.subscriptions.find((one) => one.id === id)?.items ?? []
        return { ...sent, subscriptions: sent.subscriptions.map((one) => ({ ...one, items: itemsBefore(one.id) })) }
      },
    },
  },
  {
    defect: 'what was sent can be taken back',
    caughtBy: 'sendNow.uses-up-one-time-lines',
    rules: {
      sendNow: (account, input, shop) => {
        const sent = sendNow(account, input, shop)
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
  {
    defect: 'sending now is a success for a customer without a subscription',
    caughtBy: 'sendNow.wants-a-subscription',
    answer: at(
      '/send-now',
      of(404, () => answer(200, { success: true })),
    ),
  },
]
