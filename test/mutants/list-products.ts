import { listProducts } from '@storeport/rules'
import { type Subscriptions, withItems } from './accounts.ts'
import { at, fieldsOf, isRecord, of, replaceText, withFields } from './messages.ts'
import { listMutantsOf } from './list-mutants.ts'

export const mutants = listMutantsOf('listProducts', {
  rules: {
    listProducts: {
      'recommends-products-outside-the-subscription: the email is ignored in the list': (_account, input, shop) =>
        listProducts(undefined, input, shop),
      'returns-products: without an email the list is empty': (account, input, shop) =>
        account === undefined ? { products: [] } : listProducts(account, input, shop),
      'returns-the-general-list-to-unknown-customers: an unknown customer gets an empty list of products': (
        account,
        input,
        shop,
      ) => {
        const isUnknown = account === undefined && input.email !== undefined
        return isUnknown ? { products: [] } : listProducts(account, input, shop)
      },
    },
  },
  accounts: {
    listProducts: {
      'recommends-products-outside-the-subscription: what the customer has already is recommended again': (account) =>
        account && { ...account, subscriptions: [] },
      'offers-a-product-of-a-one-time-add: one-time lines count as what the customer has': (account) =>
        account && makeRecurring(account),
    },
  },
  results: {
    listProducts: {
      'lists-every-available-product: the list holds two products, as a page of a longer one would': (result) => ({
        products: result.products.slice(0, 2),
      }),
      'uses-the-rank-order: recommendations lose their order': (result) => ({
        products: result.products.toReversed(),
      }),
      'returns-the-same-product-in-every-list: prices differ between the two lists': (result, { account }) => ({
        products: result.products.map((product) => (account ? { ...product, price: 1 } : product)),
      }),
    },
  },
  shop: {
    'omits-sold-out-products: what is sold out is listed': (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  bodies: {
    'returns-products: prices are texts': (body) => body.replaceAll(/"price":([\d.]+)/g, '"price":"$1"'),
    'lists-every-available-product: prices are in minor units': (body) =>
      body.replaceAll(/"price":(\d+)\.(\d\d)/g, '"price":$1$2'),
    'lists-every-available-product: optional fields are omitted': (body) =>
      body.replaceAll(/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''),
    'returns-products: ids are numbers': (body) => body.replaceAll(/"id":"test_(\d+)"/g, '"id":$1'),
    'returns-products: image addresses are relative': (body) => body.replaceAll('http://localhost:3000', ''),
    'returns-products: a product without an image has no `images`': (body) =>
      body.replaceAll(/,"images":\[[^\]]*\]/g, ''),
    'returns-products: a description that is not known is `null`': (body) =>
      body.replaceAll(/"description":"[^"]*"/g, '"description":null'),
  },
  answer: {
    'returns-products: every success has status 201': of(200, (answered) => ({
      ...answered,
      status: 201,
    })),
    'follows-the-subscription: an empty list of products is a 404': (answered) =>
      answered.body.includes('"products":[]') ? { ...answered, status: 404 } : answered,
    'returns-products: the data is sent without the envelope': of(200, (answered) =>
      withFields(answered, ({ data = {}, ...rest }) => (isRecord(data) ? data : rest)),
    ),
    'returns-products: the list of products is `data` itself': at('/upsells/products', (answered) => {
      const { data } = fieldsOf(answered)
      return withFields(answered, (fields) => ({ ...fields, data: isRecord(data) ? data['products'] : data }))
    }),
    'returns-the-same-format-for-a-customer: a personal list has another form than the general one': at(
      '/upsells/products',
      (answered, sent) => {
        return sent.query === '' ? answered : replaceText('"products":', '"recommendations":')(answered, sent)
      },
    ),
  },
})

function makeRecurring<Account extends Subscriptions>(account: Account): Account {
  return withItems(account, (item) => [{ ...item, one_time: false }])
}
