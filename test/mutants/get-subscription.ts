import { addDays, delaySubscription, getSubscription } from '@storeport/rules'
import { active, firstOf } from './accounts.ts'
import { answer, at, of, replaceText } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Returning the subscription that is billed next. */
export const mutants: readonly Mutant[] = [
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
    defect: 'a delay moves every subscription of the customer',
    caughtBy: 'getSubscription.returns-what-is-billed-next',
    rules: {
      delaySubscription: (account, input, shop) => {
        const delayed = delaySubscription(account, input, shop)
        const next_billing_date = input.new_date
        const subscriptions = delayed.subscriptions.map((one) =>
          one.status === 'active' ? { ...one, next_billing_date } : one,
        )
        return { ...delayed, subscriptions }
      },
    },
  },
  {
    defect: 'a date whose order was not made is shown as it is',
    caughtBy: 'getSubscription.tells-no-date-of-the-past',
    rules: {
      getSubscription: (account, input, shop) => ({
        ...getSubscription(account, input, shop),
        next_billing_date: addDays(shop.today, -2),
      }),
    },
  },
  {
    defect: 'the envelope says `ok` rather than `success`',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaceText('"success":true', '"ok":true'),
  },
  {
    defect: 'errors are sent with status 200',
    caughtBy: 'getSubscription.knows-its-customers',
    answer: (answered) => ({ ...answered, status: 200 }),
  },
  {
    defect: 'a single image is sent as a text',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaceText(/"images":\[("[^"]*")\]/g, '"images":$1'),
  },
  {
    defect: 'quantities are texts',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaceText(/"quantity":(\d+)/g, '"quantity":"$1"'),
  },
  {
    defect: 'the billing date has a time',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: replaceText(/"next_billing_date":"([\d-]+)"/g, '"next_billing_date":"$1T00:00:00.000Z"'),
  },
  {
    defect: 'the tax rate is a percentage',
    caughtBy: 'getSubscription.tells-the-tax-rate-as-a-decimal',
    answer: replaceText('"customer_tax_rate":0.08', '"customer_tax_rate":8'),
  },
  {
    defect: 'all items have one id',
    caughtBy: 'getSubscription.answers-with-a-subscription',
    answer: at('/customer-portal/subscription', replaceText(/"id":"test_\d+"/g, '"id":"test_12345"')),
  },
]
