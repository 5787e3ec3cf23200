import type { SubscriptionItem } from '@storeport/core'
import { type Check, type CheckContext, define, readingAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, perform, readProducts, readSubscription, undoAdd } from '../shop/customers.ts'
import { soldOut } from './examples.ts'
import { makeAnotherCurrent } from '../shop/changes.ts'

const { must, should } = about('products')

export const requirements: Requirements = {
  'PRODUCTS-1': must(
    'The data is `{products: [Product, …]}`, and each field has the correct type.',
    'The list is `data` itself, or a number is sent as a string.',
  ),
  'PRODUCTS-2': should(
    'A product has `id`, `title`, `price` and `images`.',
    'An empty field is omitted, or a field has the name that the shop software uses instead of the name in the contract.',
  ),
  'PRODUCTS-3': must('A request without an email returns all available products.', 'The list is empty or truncated.'),
  'PRODUCTS-4': must(
    'A request with an email returns products that are personalized for that customer.',
    'The email is ignored, or the list contains products that are already in the current subscription (PRODUCTS-7).',
  ),
  'PRODUCTS-5': must('The format is the same with and without an email.', 'The two lists are built by different code.'),
  'PRODUCTS-6': should(
    "A personal list contains the customer's recommendations in rank order.",
    'A database query does not preserve the ranking.',
  ),
  'PRODUCTS-7': should(
    'A personal list omits the recurring products in the current subscription. If the customer has all products, the list is empty.',
    'The list contains products that the customer already has, or omits products that the customer has only as one-time items.',
  ),
  'PRODUCTS-8': should(
    'A request for an unknown customer, or for a customer without recommendations, returns the general list.',
    'A request for an unknown customer returns an error or an empty list.',
  ),
  'PRODUCTS-9': should('A sold-out product is not listed.', 'The availability is not checked in one of the lists.'),
}

export const checks: readonly Check[] = define({ ...readingAShop, needs: ['listProducts'] }, requirements, {
  'listProducts.returns-products': {
    requirements: ['PRODUCTS-1', 'PRODUCTS-2', 'PRODUCTS-3', 'JSON-1', 'JSON-5'],
    layer: 'wire',
    async run(t) {
      t.ok((await readProducts(t)).length > 0, 'a general list that is not empty', 'PRODUCTS-3')
    },
  },
  'listProducts.returns-the-same-format-for-a-customer': tests(['PRODUCTS-5', 'PRODUCTS-1', 'JSON-1'], async (t) => {
    const general = new Map((await readProducts(t)).map((product) => [product.id, product]))
    const { unknown, empty, subscribed, otherCustomer } = t.profile.customers
    for (const email of [unknown, empty, subscribed, otherCustomer].filter((one) => one !== undefined)) {
      for (const product of await readProducts(t, email)) {
        const same = general.get(product.id)
        if (same !== undefined) t.equal(product, same, `product ${product.id}`)
      }
    }
  }),
  'listProducts.lists-every-available-product': {
    title: 'The general list starts with the products in the profile, in the same order and at the same prices.',
    requirements: ['PRODUCTS-3', 'MONEY-1'],
    async run(t) {
      const { listed } = t.profile.products
      if (listed.length === 0) t.skip('the profile has no products.listed')
      t.equal(pricesOf((await readProducts(t)).slice(0, listed.length)), pricesOf(listed), 'the products')
    },
  },
  'listProducts.omits-sold-out-products': tests(['PRODUCTS-9'], async (t) => {
    const id = soldOut(t)
    for (const email of [undefined, t.profile.customers.subscribed, t.profile.customers.empty]) {
      const list = await readProducts(t, email)
      t.ok(!list.some((product) => product.id === id), 'a list without the sold-out product')
    }
  }),
  'listProducts.returns-the-general-list-to-unknown-customers': tests(['PRODUCTS-8'], async (t) => {
    const general = await readProducts(t)
    for (const email of [t.profile.customers.unknown, customerOf(t, 'empty')])
      t.equal(await readProducts(t, email), general, 'the general list')
  }),
  'listProducts.recommends-products-outside-the-subscription': {
    title: 'A personal list contains the recommendations in rank order, without the products in the subscription.',
    requirements: ['PRODUCTS-4', 'PRODUCTS-6', 'PRODUCTS-7'],
    needs: ['listProducts', 'getSubscription'],
    async run(t) {
      const email = customerOf(t, 'subscribed')
      await expectRecommended(t, email, async () => (await readSubscription(t, email)).items)
    },
  },
  'listProducts.uses-the-rank-order': {
    title: 'The recommendations are in rank order, even after another subscription becomes current.',
    requirements: ['PRODUCTS-6', 'PRODUCTS-7', 'PRODUCTS-4'],
    mode: 'write',
    needs: ['listProducts', 'getSubscription', 'delaySubscription'],
    async run(t) {
      const email = customerOf(t, 'subscribed')
      for (let subscriptions = 0; subscriptions < 2; subscriptions++)
        await expectRecommended(t, email, async () => (await makeAnotherCurrent(t)).current.items)
    },
  },
  'listProducts.follows-the-subscription': {
    title:
      'Adding a recommended product removes it from the personal list, unless it is added only to the next order. Undoing the add restores the product.',
    requirements: ['PRODUCTS-7'],
    mode: 'write',
    needs: ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'],
    async run(t) {
      const email = customerOf(t, 'subscribed')
      t.need(t.profile.recommended, 'recommended')
      const before = await readProducts(t, email)
      const [first = t.skipUsed('the customer already has every recommended product')] = before
      await perform(t, 'addProduct', { email, product_id: first.id, one_time: true }, 'ADD-3')
      t.equal(await readProducts(t, email), before, 'the personal list after a one-time addition')
      await undoAdd(t, email, first.id)
      for (const { id } of before) await perform(t, 'addProduct', { email, product_id: id }, 'ADD-1')
      t.equal(await readProducts(t, email), [], 'the personal list of a customer who has every recommended product')
      for (const { id } of before) await undoAdd(t, email, id)
      t.equal(await readProducts(t, email), before, 'the personal list')
    },
  },
})

/** Expects the recommendations of the profile in a personal list, without the products of the items. */
async function expectRecommended(
  t: CheckContext,
  email: string,
  readItems: () => Promise<readonly SubscriptionItem[]>,
): Promise<void> {
  const recommended = t.need(t.profile.recommended, 'recommended')
  const general = await readProducts(t)
  const titles = (await readItems()).map(({ title }) => title)
  const owned = general.filter(({ title }) => titles.includes(title)).map(({ id }) => id)
  const list = (await readProducts(t, email)).map(({ id }) => id)
  const expected = recommended.filter((id) => !owned.includes(id))
  t.equal(list, expected, 'the recommended products that are not in the subscription')
}

function pricesOf(products: CheckContext['profile']['products']['listed']): readonly object[] {
  return products.map(({ id, price, compare_at_price }) => ({ id, price, compare_at_price }))
}
