import { listProducts } from '@storeport/rules'
import { type Subscriptions, withItems } from './accounts.ts'
import { at, fieldsOf, isRecord, of, replaceText, withFields } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    listProducts: {
      'listProducts.recommends-what-a-customer-lacks: the email is ignored in the list': (_account, input, shop) =>
        listProducts(undefined, input, shop),
      'listProducts.answers-with-products: without an email the list is empty': (account, input, shop) =>
        account === undefined ? { products: [] } : listProducts(account, input, shop),
      'listProducts.gives-strangers-the-general-list: an unknown customer gets an empty list of products': (
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
      'listProducts.recommends-what-a-customer-lacks: what the customer has already is recommended again': (account) =>
        account && { ...account, subscriptions: [] },
      'listProducts.still-offers-what-comes-once: one-time lines count as what the customer has': (account) =>
        account && makeRecurring(account),
    },
  },
  results: {
    listProducts: {
      'listProducts.lists-every-available-product: the list holds two products, as a page of a longer one would': (
        result,
      ) => ({ products: result.products.slice(0, 2) }),
      'listProducts.keeps-the-rank-order: recommendations lose their order': (result) => ({
        products: result.products.toReversed(),
      }),
      'listProducts.tells-the-same-of-a-product: prices differ between the two lists': (result, { account }) => ({
        products: result.products.map((product) => (account ? { ...product, price: 1 } : product)),
      }),
    },
  },
  shop: {
    'listProducts.leaves-out-what-is-sold-out: what is sold out is listed': (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  bodies: {
    'listProducts.answers-with-products: prices are texts': (body) =>
      body.replaceAll(/"price":([\d.]+)/g, '"price":"$1"'),
    'listProducts.lists-every-available-product: prices are in minor units': (body) =>
      body.replaceAll(/"price":(\d+)\.(\d\d)/g, '"price":$1$2'),
    'listProducts.answers-with-products: ids are numbers': (body) => body.replaceAll(/"id":"test_(\d+)"/g, '"id":$1'),
    'listProducts.answers-with-products: image addresses are relative': (body) =>
      body.replaceAll('http://localhost:3000', ''),
    'listProducts.answers-with-products: a product without an image has no `images`': (body) =>
      body.replaceAll(/,"images":\[[^\]]*\]/g, ''),
    'listProducts.answers-with-products: a description that is not known is `null`': (body) =>
      body.replaceAll(/"description":"[^"]*"/g, '"description":null'),
  },
  answer: {
    'listProducts.answers-with-products: the data is sent without the envelope': of(200, (answered) =>
      withFields(answered, ({ data = {}, ...rest }) => (isRecord(data) ? data : rest)),
    ),
    'listProducts.answers-with-products: the list of products is `data` itself': at('/upsells/products', (answered) => {
      const { data } = fieldsOf(answered)
      return withFields(answered, (fields) => ({ ...fields, data: isRecord(data) ? data['products'] : data }))
    }),
    'listProducts.answers-a-customer-in-the-same-form: a personal list has another form than the general one': at(
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
