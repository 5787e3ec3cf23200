import { addDays, type Subscription } from '@storeport/rules'
import { withSubscriptions } from './accounts.ts'
import { at, of, replaceText, withStatus, answerWith } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  accounts: {
    getSubscription: {
      'a cancelled subscription is current if no other subscription exists': (account) =>
        withSubscriptions(account, active),
      'the first subscription is current, regardless of its date': (account) => ({
        ...account,
        subscriptions: account.subscriptions.filter(({ status }) => status === 'active').slice(0, 1),
      }),
    },
  },
  results: {
    getSubscription: {
      'a date whose order was not made is shown as it is': (result, { shop }) => ({
        ...result,
        next_billing_date: addDays(shop.today, -2),
      }),
    },
    delaySubscription: {
      'a delay moves every subscription of the customer': (delayed, { input }) =>
        withSubscriptions(delayed, (one) =>
          one.status === 'active' ? { ...one, next_billing_date: input.new_date } : one,
        ),
    },
  },
  find: {
    'a customer without a subscription is unknown': (email, accounts) => {
      const account = accounts.get(email.toLowerCase())
      return account?.subscriptions.length === 0 ? undefined : account
    },
  },
  bodies: {
    'the envelope says `ok` rather than `success`': ['"success":true', '"ok":true'],
    'a single image is sent as a text': [/"images":\[("[^"]*")\]/g, '"images":$1'],
    'quantities are texts': [/"quantity":(\d+)/g, '"quantity":"$1"'],
    'the billing date has a time': [/"next_billing_date":"([\d-]+)"/g, '"next_billing_date":"$1T00:00:00.000Z"'],
    'the tax rate is a percentage': ['"customer_tax_rate":0.08', '"customer_tax_rate":8'],
  },
  answer: {
    'an unknown customer is 200 with nothing': at(
      '/subscription',
      of(404, answerWith(200, { success: true, data: null })),
    ),
    'no subscription is an empty one': at(
      '/subscription',
      of(404, answerWith(200, { success: true, data: { next_billing_date: '2030-01-01', items: [] } })),
    ),
    'errors are sent with status 200': withStatus(200),
    'all items have one id': at('/customer-portal/subscription', replaceText(/"id":"test_\d+"/g, '"id":"test_12345"')),
  },
})

function active(subscription: Subscription): Subscription {
  return subscription.status === 'active'
    ? subscription
    : { ...subscription, status: 'active', next_billing_date: '2090-01-01', cancelled_on: null }
}
