import { StoreError } from '@storeport/core'
import { addDays, getDiscount, listCancelledSubscriptions, listProducts, type Subscription } from '@storeport/rules'
import { withItems, withSubscriptions } from './accounts.ts'
import { listMutants } from './list-mutants.ts'
import { answer, at, of, replaceText, withStatus } from './messages.ts'

const none = { discount_code: 'no code at all' }

/** Defects in the data that a shop returns. */
export const mutants = listMutants({
  rules: {
    listProducts: {
      'the email is ignored in the list': (_account, input, shop) => listProducts(undefined, input, shop),
      'without an email the list is empty': (account, input, shop) =>
        account === undefined ? { products: [] } : listProducts(account, input, shop),
      'an unknown customer gets an empty list of products': (account, input, shop) => {
        const isUnknown = account === undefined && input.email !== undefined
        return isUnknown ? { products: [] } : listProducts(account, input, shop)
      },
    },
    listCancelledSubscriptions: {
      'subscriptions that are too old are listed': (account, input, shop) =>
        listCancelledSubscriptions(account, input, { ...shop, reactivation_days: 9999 }),
    },
    getDiscount: {
      'the expiry of a code is not checked': (account, input, shop) =>
        getDiscount(account, input, { ...shop, today: '2000-01-01' }),
    },
  },
  inputs: {
    getDiscount: {
      'a code matches by its start': (input) => ({
        discount_code: input.discount_code === 'TEST1' ? 'TEST10' : input.discount_code,
      }),
      'a code is found in upper case alone': (input) => (/[a-z]/.test(input.discount_code) ? none : input),
    },
  },
  accounts: {
    listProducts: {
      'what the customer has already is recommended again': (account) => account && { ...account, subscriptions: [] },
      'one-time lines count as what the customer has': (account) =>
        account && withItems(account, (item) => [{ ...item, one_time: false }]),
    },
    getSubscription: {
      'a cancelled subscription is current if no other subscription exists': (account) =>
        withSubscriptions(account, active),
      'the first subscription is current, regardless of its date': (account) => ({
        ...account,
        subscriptions: account.subscriptions.filter(({ status }) => status === 'active').slice(0, 1),
      }),
    },
    listCancelledSubscriptions: {
      'active subscriptions are listed too': (account, { shop }) =>
        withSubscriptions(account, (one) => ({
          ...one,
          status: 'cancelled',
          next_billing_date: null,
          cancelled_on: one.cancelled_on ?? shop.today,
        })),
    },
  },
  results: {
    listProducts: {
      'the list holds two products, as a page of a longer one would': (result) => ({
        products: result.products.slice(0, 2),
      }),
      'recommendations lose their order': (result) => ({
        products: result.products.toReversed(),
      }),
      'prices differ between the two lists': (result, { account }) => ({
        products: result.products.map((product) => (account ? { ...product, price: 1 } : product)),
      }),
    },
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
    listCancelledSubscriptions: {
      'the oldest subscription comes first': (result) => ({
        subscriptions: result.subscriptions.toReversed(),
      }),
      'an empty list is 404': (list) => {
        if (list.subscriptions.length === 0) throw new StoreError('subscription_not_found')
        return list
      },
    },
  },
  shop: {
    'what is sold out is listed': (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  find: {
    'a customer without a subscription is unknown': (email, accounts) => {
      const account = accounts.get(email.toLowerCase())
      return account?.subscriptions.length === 0 ? undefined : account
    },
  },
  queries: {
    'space around a code is not cut off': (query) => query.replace(/=[^&]*%20[^&]*/, '=UNKNOWN'),
    'of the white space around a code only spaces are cut off': (query) => query.replace(/=[^&]*%0A[^&]*/, '=UNKNOWN'),
  },
  bodies: {
    'the sum of discounts is not rounded': [/("order_discount_total":\d+\.\d)(\d)?/g, '$1$25'],
    'the sum of discounts has the noise of floating point': [/("order_discount_total":\d+\.\d+)/g, '$10000000000002'],
    'prices are texts': [/"price":([\d.]+)/g, '"price":"$1"'],
    'prices are in minor units': [/"price":(\d+)\.(\d\d)/g, '"price":$1$2'],
    'optional fields are omitted': [/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''],
    'ids are numbers': [/"id":"test_(\d+)"/g, '"id":$1'],
    'image addresses are relative': ['http://localhost:3000', ''],
    'a product without an image has no `images`': [/,"images":\[[^\]]*\]/g, ''],
    'a description that is not known is `null`': [/"description":"[^"]*"/g, '"description":null'],
    'the envelope says `ok` rather than `success`': ['"success":true', '"ok":true'],
    'a single image is sent as a text': [/"images":\[("[^"]*")\]/g, '"images":$1'],
    'quantities are texts': [/"quantity":(\d+)/g, '"quantity":"$1"'],
    'the billing date has a time': [/"next_billing_date":"([\d-]+)"/g, '"next_billing_date":"$1T00:00:00.000Z"'],
    'the tax rate is a percentage': ['"customer_tax_rate":0.08', '"customer_tax_rate":8'],
    '`data` is called `result`': ['"data":', '"result":'],
    'titles are called `name`': ['"title":', '"name":'],
    'a percentage is a fraction': ['"discount_percentage":10', '"discount_percentage":0.1'],
    'an amount of 0 is sent with a percentage': [
      '"discount_percentage":10',
      '"discount_percentage":10,"discount_amount":0',
    ],
    'a fixed amount is in minor units': ['"discount_amount":5', '"discount_amount":500'],
    'the type of a fixed amount has another name': ['fixed_amount', 'fixed'],
    'amounts of discounts are texts': ['"discount_amount":5', '"discount_amount":"5.00"'],
    '`success` is a text': ['"success":true', '"success":"true"'],
  },
  answer: {
    'every success has status 201': of(200, withStatus(201)),
    'an empty list of products is a 404': (answered) =>
      answered.body.includes('"products":[]') ? { ...answered, status: 404 } : answered,
    'a personal list has another form than the general one': at('/upsells/products', (answered, sent) => {
      return sent.query === '' ? answered : replaceText('"products":', '"recommendations":')(answered, sent)
    }),
    'errors are sent with status 200': withStatus(200),
    'all items have one id': at('/customer-portal/subscription', replaceText(/"id":"test_\d+"/g, '"id":"test_12345"')),
    'an unknown customer gets an empty list': at(
      '/cancelled-subscriptions',
      of(404, () => answer(200, { success: true, data: { subscriptions: [] } })),
    ),
    'the products of a cancelled subscription are called `items`': at(
      '/cancelled-subscriptions',
      replaceText('"products":', '"items":'),
    ),
    'an unknown code is 200 with nothing': at(
      '/get-discount',
      of(404, () => answer(200, { success: true, data: {} })),
    ),
  },
})

function active(subscription: Subscription): Subscription {
  return subscription.status === 'active'
    ? subscription
    : { ...subscription, status: 'active', next_billing_date: '2090-01-01', cancelled_on: null }
}
