import { addDays, type Subscription } from '@storeport/rules'
import { firstOf, withSubscriptions } from './accounts.ts'
import { answer, at, of, replaceText } from './messages.ts'
import { listMutantsOf } from './list-mutants.ts'

export const mutants = listMutantsOf('getSubscription', {
  accounts: {
    getSubscription: {
      'omits-cancelled-subscriptions: a cancelled subscription counts as current when there is no other': (account) =>
        withSubscriptions(account, active),
      'returns-the-subscription-billed-next: the first subscription is current, whatever its date': firstOf,
    },
  },
  results: {
    getSubscription: {
      'returns-no-past-date: a date whose order was not made is shown as it is': (result, { shop }) => ({
        ...result,
        next_billing_date: addDays(shop.today, -2),
      }),
    },
    delaySubscription: {
      'returns-the-subscription-billed-next: a delay moves every subscription of the customer': (delayed, { input }) =>
        withSubscriptions(delayed, (one) =>
          one.status === 'active' ? { ...one, next_billing_date: input.new_date } : one,
        ),
    },
  },
  find: {
    'returns-404-without-a-subscription: a customer without a subscription is unknown': (email, accounts) => {
      const account = accounts.get(email.toLowerCase())
      return account?.subscriptions.length === 0 ? undefined : account
    },
  },
  bodies: {
    'returns-a-subscription: the envelope says `ok` rather than `success`': (body) =>
      body.replaceAll('"success":true', '"ok":true'),
    'returns-a-subscription: a single image is sent as a text': (body) =>
      body.replaceAll(/"images":\[("[^"]*")\]/g, '"images":$1'),
    'returns-a-subscription: quantities are texts': (body) => body.replaceAll(/"quantity":(\d+)/g, '"quantity":"$1"'),
    'returns-a-subscription: the billing date has a time': (body) =>
      body.replaceAll(/"next_billing_date":"([\d-]+)"/g, '"next_billing_date":"$1T00:00:00.000Z"'),
    'returns-the-tax-rate-as-a-decimal: the tax rate is a percentage': (body) =>
      body.replaceAll('"customer_tax_rate":0.08', '"customer_tax_rate":8'),
  },
  answer: {
    'rejects-unknown-customers: an unknown customer is 200 with nothing': at(
      '/subscription',
      of(404, () => answer(200, { success: true, data: null })),
    ),
    'returns-404-without-a-subscription: no subscription is an empty one': at(
      '/subscription',
      of(404, () => answer(200, { success: true, data: { next_billing_date: '2030-01-01', items: [] } })),
    ),
    'rejects-unknown-customers: errors are sent with status 200': (answered) => ({
      ...answered,
      status: 200,
    }),
    'returns-a-subscription: all items have one id': at(
      '/customer-portal/subscription',
      replaceText(/"id":"test_\d+"/g, '"id":"test_12345"'),
    ),
  },
})

function active(subscription: Subscription): Subscription {
  return subscription.status === 'active'
    ? subscription
    : { ...subscription, status: 'active', next_billing_date: '2090-01-01', cancelled_on: null }
}
