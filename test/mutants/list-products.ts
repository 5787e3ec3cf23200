import { listProducts } from '@storeport/rules'
import { type Subscriptions, withItems } from './accounts.ts'
import { at, fieldsOf, isRecord, of, replaceText, withFields } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Listing products: the general list and recommendations. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the email is ignored in the list',
    caughtBy: 'listProducts.recommends-what-a-customer-lacks',
    rules: { listProducts: (_account, input, shop) => listProducts(undefined, input, shop) },
  },
  {
    defect: 'without an email the list is empty',
    caughtBy: 'listProducts.answers-with-products',
    rules: {
      listProducts: (account, input, shop) =>
        account === undefined ? { products: [] } : listProducts(account, input, shop),
    },
  },
  {
    defect: 'the list holds two products, as a page of a longer one would',
    caughtBy: 'listProducts.lists-every-available-product',
    rules: {
      listProducts: (account, input, shop) => ({ products: listProducts(account, input, shop).products.slice(0, 2) }),
    },
  },
  {
    defect: 'what is sold out is listed',
    caughtBy: 'listProducts.leaves-out-what-is-sold-out',
    shop: (shop) => ({
      offered: () => [...shop.offered(), ...[shop.product('test_00000')].filter((one) => one !== undefined)],
    }),
  },
  {
    defect: 'an unknown customer gets an empty list of products',
    caughtBy: 'listProducts.gives-strangers-the-general-list',
    rules: {
      listProducts: (account, input, shop) => {
        const isUnknown = account === undefined && input.email !== undefined
        return isUnknown ? { products: [] } : listProducts(account, input, shop)
      },
    },
  },
  {
    defect: 'what the customer has already is recommended again',
    caughtBy: 'listProducts.recommends-what-a-customer-lacks',
    rules: {
      listProducts: (account, input, shop) => listProducts(account && { ...account, subscriptions: [] }, input, shop),
    },
  },
  {
    defect: 'recommendations lose their order',
    caughtBy: 'listProducts.keeps-the-rank-order',
    rules: {
      listProducts: (account, input, shop) => ({ products: listProducts(account, input, shop).products.toReversed() }),
    },
  },
  {
    defect: 'prices differ between the two lists',
    caughtBy: 'listProducts.tells-the-same-of-a-product',
    rules: {
      listProducts: (account, input, shop) => ({
        products: listProducts(account, input, shop).products.map((product) =>
          account ? { ...product, price: 1 } : product,
        ),
      }),
    },
  },
  {
    defect: 'one-time lines count as what the customer has',
    caughtBy: 'listProducts.still-offers-what-comes-once',
    rules: { listProducts: (account, input, shop) => listProducts(account && makeRecurring(account), input, shop) },
  },
  {
    defect: 'the data is sent without the envelope',
    caughtBy: 'listProducts.answers-with-products',
    answer: of(200, (answered) => withFields(answered, ({ data = {}, ...rest }) => (isRecord(data) ? data : rest))),
  },
  {
    defect: 'prices are texts',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaceText(/"price":([\d.]+)/g, '"price":"$1"'),
  },
  {
    defect: 'prices are in minor units',
    caughtBy: 'listProducts.lists-every-available-product',
    answer: replaceText(/"price":(\d+)\.(\d\d)/g, '"price":$1$2'),
  },
  {
    defect: 'ids are numbers',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaceText(/"id":"test_(\d+)"/g, '"id":$1'),
  },
  {
    defect: 'image addresses are relative',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaceText('http://localhost:3000', ''),
  },
  {
    defect: 'a product without an image has no `images`',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaceText(/,"images":\[[^\]]*\]/g, ''),
  },
  {
    defect: 'a description that is not known is `null`',
    caughtBy: 'listProducts.answers-with-products',
    answer: replaceText(/"description":"[^"]*"/g, '"description":null'),
  },
  {
    defect: 'the list of products is `data` itself',
    caughtBy: 'listProducts.answers-with-products',
    answer: at('/upsells/products', (answered) => {
      const { data } = fieldsOf(answered)
      return withFields(answered, (fields) => ({ ...fields, data: isRecord(data) ? data['products'] : data }))
    }),
  },
  {
    defect: 'a personal list has another form than the general one',
    caughtBy: 'listProducts.answers-a-customer-in-the-same-form',
    answer: at('/upsells/products', (answered, sent) => {
      return sent.query === '' ? answered : replaceText('"products":', '"recommendations":')(answered, sent)
    }),
  },
]

function makeRecurring<Account extends Subscriptions>(account: Account): Account {
  return withItems(account, (item) => [{ ...item, one_time: false }])
}
