import { addProduct, sendNow } from '@storeport/rules'
import { billLater, nextOf } from './accounts.ts'
import { answer, at, of, replaceText } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Sending the next order now. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'sending now is answered, and nothing is done',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account) => account },
  },
  {
    defect: 'a month is taken for 30 days, and 31 where that fits',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account, input, shop) => billLater(2, account, sendNow(account, input, shop)) },
  },
  {
    defect: 'the interval is counted from the old billing date',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    rules: { sendNow: (account, input, shop) => billLater(7, account, sendNow(account, input, shop)) },
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
  {
    defect: 'an action answers `{"success":true,"data":null}`',
    caughtBy: 'sendNow.bills-again-after-the-interval',
    answer: at('/send-now', replaceText('{"success":true}', '{"success":true,"data":null}')),
  },
]
