import { addDays, type Product } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  findSubscription,
  perform,
  readCancelled,
  readProducts,
  readSubscription,
  snapshot,
  swapLine,
  swapSharedLine,
  undoAdd,
} from '../steps/customers.ts'
import { makeOtherChange } from '../steps/changes.ts'
import { isReserved } from '../steps/variants.ts'

const { should, showsOthers } = about('customers')

export const requirements: Requirements = {
  'CUSTOMER-1': should(
    'A request for an unknown customer returns 404 `customer_not_found`, before any ids are checked.',
    'The ids are looked up before the customer, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': showsOthers(
    "A request for one customer never reads or changes another customer's data, regardless of the ids in the request.",
    'A record is looked up by its id only, or stored in a variable that all requests share.',
  ),
  'CUSTOMER-3': showsOthers(
    'Lookups match the complete email address. A wildcard or partial address matches no customer.',
    'The address is used in a `LIKE` condition or a text search instead of an equality comparison.',
  ),
}

const common: Common = { mode: 'write', layer: 'shop', needs: ['swapProduct', 'getSubscription', 'listProducts'] }

export const checks: readonly Check[] = define(common, {
  'customers.see-only-their-own-data': {
    title:
      'No cancelled subscription is listed for two customers. No subscription is returned for a customer without subscriptions.',
    requirements: ['CUSTOMER-2'],
    mode: 'read-only',
    needs: ['getSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { subscribed, otherCustomer, cancelled } = testCustomers(t)
      const { unknown, empty = unknown } = t.profile.customers
      const listed: string[] = []
      for (const email of [subscribed, otherCustomer, cancelled]) {
        await findSubscription(t, email)
        listed.push(...(await readCancelled(t, email)).map(({ subscription_id }) => subscription_id))
        for (const stranger of new Set([empty, unknown])) {
          t.equal(
            await findSubscription(t, stranger),
            undefined,
            'the subscription of a customer without subscriptions',
          )
          const list = await t.call('listCancelledSubscriptions', { email: stranger })
          const shown = list.status === 200 ? await readCancelled(t, stranger) : []
          t.equal(shown, [], 'the cancelled subscriptions of a customer without subscriptions', list)
        }
      }
      t.equal(new Set(listed).size, listed.length, 'the number of subscription ids')
    },
  },
  'customers.are-found-only-by-the-complete-address': {
    title: 'A request with a wildcard, a partial address, or an address with extra characters matches no customer.',
    requirements: ['CUSTOMER-3', 'SUBSCRIPTION-2'],
    mode: 'read-only',
    needs: ['getSubscription'],
    async run(t) {
      const { subscribed } = testCustomers(t)
      const [name = '', domain = ''] = subscribed.split('@')
      // On a real domain, a real person could have one of the similar addresses, so only reserved domains are used.
      const others = !isReserved(domain)
        ? [`${subscribed}.example`, `${subscribed}.invalid`, '%@example.com']
        : [
            `%@${domain}`,
            `*@${domain}`,
            `_${name.slice(1)}@${domain}`,
            `${name.slice(0, -1)}%@${domain}`,
            `${name.slice(0, -1)}@${domain}`,
            `${name}x@${domain}`,
            `${name}+x@${domain}`,
            `${name}@x.${domain}`,
            `${name}@${domain}.example`,
            `${name.slice(0, 1)}.${name.slice(1)}@${domain}`,
            `__proto__@${domain}`,
          ]
      for (const email of others) t.rejected(await t.call('getSubscription', { email }), 'customer_not_found')
    },
  },
  'swapProduct.rejects-an-item-of-another-customer': {
    title: "A swap of another customer's item returns 404 `item_not_found` and changes neither customer's data.",
    requirements: ['CUSTOMER-2', 'SWAP-3'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const others = await itemsOfOtherCustomer(t, subscribed, otherCustomer)
      const products = await productsToTry(t, subscribed)
      const before = [await snapshot(t, subscribed), await snapshot(t, otherCustomer)]
      for (const { id } of others) {
        for (const product of products) {
          const swap = { email: subscribed, current_item_id: id, new_product_id: product.id }
          t.rejected(await t.call('swapProduct', swap), 'item_not_found')
        }
      }
      t.equal([await snapshot(t, subscribed), await snapshot(t, otherCustomer)], before, 'both customers')
    },
  },
  'swapProduct.changes-no-item-of-another-customer': {
    title: "A swap of a product that another customer also has does not change the other customer's data.",
    requirements: ['SWAP-11', 'CUSTOMER-2'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const shared = (await arrange(t, otherCustomer)).ownedProduct().product
      const others = await snapshot(t, otherCustomer)
      await swapSharedLine(t, subscribed, shared)
      t.equal(await snapshot(t, otherCustomer), others, "the other customer's data", 'CUSTOMER-2')
    },
  },
  'reactivateSubscription.rejects-a-subscription-of-another-customer': {
    title:
      "Reactivating another customer's cancelled subscription returns 404 `subscription_not_found`, and the subscription stays cancelled.",
    requirements: ['CUSTOMER-2', 'REACTIVATE-3'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { otherCustomer, cancelled } = testCustomers(t)
      const before = [await snapshot(t, cancelled), await snapshot(t, otherCustomer)]
      const [first = t.skipUsed('no cancelled subscription is left', 'reactivateSubscription')] = await readCancelled(
        t,
        otherCustomer,
      )
      const { subscription_id } = first
      t.rejected(
        await t.call('reactivateSubscription', { email: cancelled, subscription_id }),
        'subscription_not_found',
      )
      t.equal([await snapshot(t, cancelled), await snapshot(t, otherCustomer)], before, 'both customers')
    },
  },
  'undoAddProduct.undoes-no-add-of-another-customer': {
    title:
      'An undo of a product that another customer added returns 404 `product_not_in_order` and does not remove the product.',
    requirements: ['CUSTOMER-2', 'UNDO-3'],
    needs: ['addProduct', 'undoAddProduct', 'getSubscription', 'delaySubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const { before, newProduct } = await arrange(t, otherCustomer)
      const product_id = newProduct().id
      await perform(t, 'addProduct', { email: otherCustomer, product_id }, 'ADD-1')
      const added = await readSubscription(t, otherCustomer)
      await makeOtherChange(t, subscribed)
      t.rejected(await t.call('undoAddProduct', { email: subscribed, product_id }), 'product_not_in_order')
      t.equal(await readSubscription(t, otherCustomer), added, "the other customer's subscription")
      await undoAdd(t, otherCustomer, product_id)
      t.equal(
        await readSubscription(t, otherCustomer),
        before,
        "the other customer's subscription after their own undo",
        'UNDO-2',
      )
    },
  },
  'reactivateSubscription.reveals-nothing-about-another-customer': {
    title:
      "Reactivating another customer's subscription, cancelled or active, returns the same response as reactivating a subscription that does not exist.",
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { otherCustomer, cancelled } = testCustomers(t)
      const { active, unknown } = t.profile.subscriptions
      const notFound = await t.call('reactivateSubscription', { email: cancelled, subscription_id: unknown })
      const others = (await readCancelled(t, otherCustomer)).map(({ subscription_id }) => subscription_id)
      for (const subscription_id of [...others, ...(active === undefined ? [] : [active])]) {
        const reply = await t.call('reactivateSubscription', { email: cancelled, subscription_id })
        expectSameResponse(t, reply, notFound)
      }
    },
  },
  'swapProduct.reveals-nothing-about-another-customer': {
    title: "A swap of another customer's item returns the same response as a swap with an item id that does not exist.",
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const others = await itemsOfOtherCustomer(t, subscribed, otherCustomer)
      const [product] = await productsToTry(t, subscribed)
      const new_product_id = product?.id ?? t.skip('the customer already has every listed product')
      const swap = { email: subscribed, new_product_id }
      const notFound = await t.call('swapProduct', { ...swap, current_item_id: 'no-such-item' })
      for (const { id } of others) {
        expectSameResponse(t, await t.call('swapProduct', { ...swap, current_item_id: id }), notFound)
      }
    },
  },
  'undoAddProduct.reveals-nothing-about-another-customer': {
    title:
      'An undo of a product that another customer added returns the same response as an undo of a product that was never added.',
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    needs: ['addProduct', 'undoAddProduct', 'getSubscription', 'delaySubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const product_id = (await arrange(t, otherCustomer)).newProduct().id
      await makeOtherChange(t, subscribed)
      const notFound = await t.call('undoAddProduct', { email: subscribed, product_id })
      await perform(t, 'addProduct', { email: otherCustomer, product_id }, 'ADD-1')
      const reply = await t.call('undoAddProduct', { email: subscribed, product_id })
      await undoAdd(t, otherCustomer, product_id)
      expectSameResponse(t, reply, notFound)
    },
  },
  'customers.do-not-change-each-other': {
    title:
      "When one customer adds a product, swaps an item and delays an order, another customer's data does not change.",
    requirements: ['CUSTOMER-2'],
    needs: ['addProduct', 'undoAddProduct', 'swapProduct', 'delaySubscription', 'getSubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = testCustomers(t)
      const others = await snapshot(t, otherCustomer)
      const { before, newProduct, ownedProduct } = await arrange(t, subscribed)
      const email = subscribed
      const { item, place, product } = ownedProduct()
      const added = newProduct()
      await perform(t, 'addProduct', { email, product_id: product.id }, 'ADD-1')
      await undoAdd(t, email, product.id)
      await swapLine(t, email, item, added)
      await swapLine(t, email, (await readSubscription(t, email)).items[place], product)
      const new_date = addDays(before.next_billing_date, 1)
      await perform(t, 'delaySubscription', { email, new_date }, 'DELAY-1')
      t.equal(await snapshot(t, otherCustomer), others, "the other customer's data")
    },
  },
})

/** Test customers. Reading a property skips the check if the profile does not contain the customer. */
function testCustomers(t: CheckContext) {
  const { customers } = t.profile
  return {
    get subscribed() {
      return t.need(customers.subscribed, 'customers.subscribed')
    },
    get otherCustomer() {
      return t.need(customers.otherCustomer, 'customers.otherCustomer')
    },
    get cancelled() {
      return t.need(customers.cancelled, 'customers.cancelled')
    },
  }
}

/**
 * Returns the other customer's items whose ids the first customer does not have. Skips the check if there are no such
 * items.
 */
async function itemsOfOtherCustomer(t: CheckContext, subscribed: string, otherCustomer: string) {
  const own = await readSubscription(t, subscribed)
  const { items } = await readSubscription(t, otherCustomer)
  const others = items.filter(({ id }) => !own.items.some((item) => item.id === id))
  if (others.length === 0) t.skip('both customers have items with the same ids')
  return others
}

/**
 * Returns products for a swap that the shop cannot treat as a repeat of an earlier swap.
 *
 * If the shop offers delaySubscription, makes another change and returns all products. Otherwise, returns only the
 * products that the customer does not have.
 */
async function productsToTry(t: CheckContext, email: string): Promise<readonly Product[]> {
  const products = await readProducts(t)
  if (t.offered.includes('delaySubscription')) {
    await makeOtherChange(t, email)
    return products
  }
  const { items } = await readSubscription(t, email)
  return products.filter(({ title }) => !items.some((item) => item.title === title))
}

/** Expects the same response for another customer's record as for a record that does not exist. */
function expectSameResponse(t: CheckContext, reply: Reply, notFound: Reply): void {
  t.ok(notFound.status >= 400, 'a rejection', notFound)
  t.equal(reply.status, notFound.status, 'the status', reply)
  t.equal(reply.json, notFound.json, 'the body', reply)
}
