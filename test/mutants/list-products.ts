import { listProducts } from '@storeport/rules'
import { withItems } from './accounts.ts'
import { at, fieldsOf, isRecord, of, replaceText, withFields, withStatus } from './messages.ts'
import { listMutants } from './list-mutants.ts'

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
  },
  accounts: {
    listProducts: {
      'what the customer has already is recommended again': (account) => account && { ...account, subscriptions: [] },
      'one-time lines count as what the customer has': (account) =>
        account && withItems(account, (item) => [{ ...item, one_time: false }]),
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
  },
  shop: {
    'what is sold out is listed': (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  bodies: {
    'prices are texts': [/"price":([\d.]+)/g, '"price":"$1"'],
    'prices are in minor units': [/"price":(\d+)\.(\d\d)/g, '"price":$1$2'],
    'optional fields are omitted': [/,"(?:compare_at_price|description)":(?:"[^"]*"|[\d.]+)/g, ''],
    'ids are numbers': [/"id":"test_(\d+)"/g, '"id":$1'],
    'image addresses are relative': ['http://localhost:3000', ''],
    'a product without an image has no `images`': [/,"images":\[[^\]]*\]/g, ''],
    'a description that is not known is `null`': [/"description":"[^"]*"/g, '"description":null'],
  },
  answer: {
    'every success has status 201': of(200, withStatus(201)),
    'an empty list of products is a 404': (answered) =>
      answered.body.includes('"products":[]') ? { ...answered, status: 404 } : answered,
    'the data is sent without the envelope': of(200, (answered) =>
      withFields(answered, ({ data = {}, ...rest }) => (isRecord(data) ? data : rest)),
    ),
    'the list of products is `data` itself': at('/upsells/products', (answered) => {
      const { data } = fieldsOf(answered)
      return withFields(answered, (fields) => ({ ...fields, data: isRecord(data) ? data['products'] : data }))
    }),
    'a personal list has another form than the general one': at('/upsells/products', (answered, sent) => {
      return sent.query === '' ? answered : replaceText('"products":', '"recommendations":')(answered, sent)
    }),
  },
})
