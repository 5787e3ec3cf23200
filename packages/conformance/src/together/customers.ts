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
import { clickBetween } from '../steps/changes.ts'

const { should } = about('customers')

/** Whose data a call reaches. */
export const requirements: Requirements = {
  'CUSTOMER-1': should(
    'An unknown customer is 404 `customer_not_found`, before anything else about the ids.',
    'The ids are looked up before the customer is, or the customer is not looked up at all.',
  ),
  'CUSTOMER-2': should(
    "A customer's email never reaches another customer's data, whatever ids are named.",
    'Something is found by its id alone, or kept in a variable that all calls share.',
  ),
  'CUSTOMER-3': should(
    'An address is compared as a whole: no wildcard and no part of it finds a customer.',
    'The address goes into a LIKE or a search in place of an equality.',
  ),
}

const common: Common = { mode: 'write', layer: 'shop', needs: ['swapProduct', 'getSubscription', 'listProducts'] }

/** Nobody reaches what belongs to another customer. */
export const checks: readonly Check[] = define(common, {
  'customers.see-their-own-data': {
    title: 'No cancelled subscription is shown to two customers, and to one who has nothing nothing of anybody else.',
    requirements: ['CUSTOMER-2'],
    mode: 'read-only',
    needs: ['getSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { subscribed, otherCustomer, cancelled } = both(t)
      const { unknown, empty = unknown } = t.profile.customers
      const listed: string[] = []
      for (const email of [subscribed, otherCustomer, cancelled]) {
        await findSubscription(t, email)
        listed.push(...(await readCancelled(t, email)).map(({ subscription_id }) => subscription_id))
        for (const nobody of new Set([empty, unknown])) {
          t.equal(await findSubscription(t, nobody), undefined, 'the subscription of a customer who has none')
          const list = await t.call('listCancelledSubscriptions', { email: nobody })
          const shown = list.status === 200 ? await readCancelled(t, nobody) : []
          t.equal(shown, [], 'the cancelled subscriptions of a customer who has none', list)
        }
      }
      t.equal(new Set(listed).size, listed.length, 'the number of subscription ids')
    },
  },
  'customers.are-found-by-the-whole-address': {
    title: 'A wildcard, a part of an address, or an address and more finds nobody.',
    requirements: ['CUSTOMER-3', 'SUBSCRIPTION-2'],
    mode: 'read-only',
    needs: ['getSubscription'],
    async run(t) {
      const { subscribed } = both(t)
      const [name = '', domain = ''] = subscribed.split('@')
      const others = [
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
      for (const email of others) t.refused(await t.call('getSubscription', { email }), 'customer_not_found')
    },
  },
  'swapProduct.reaches-no-item-of-another-customer': {
    title: "A swap of another customer's item is 404 `item_not_found` and changes neither.",
    requirements: ['CUSTOMER-2', 'SWAP-3'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
      const others = await itemsOfOtherCustomer(t, subscribed, otherCustomer)
      const products = await productsToTry(t, subscribed)
      const before = [await snapshot(t, subscribed), await snapshot(t, otherCustomer)]
      for (const { id } of others) {
        for (const product of products) {
          const swap = { email: subscribed, current_item_id: id, new_product_id: product.id }
          t.refused(await t.call('swapProduct', swap), 'item_not_found')
        }
      }
      t.equal([await snapshot(t, subscribed), await snapshot(t, otherCustomer)], before, 'both customers')
    },
  },
  'swapProduct.changes-no-line-of-another-customer': {
    title: 'A swap of a line whose product another customer has too leaves that customer as they are.',
    requirements: ['SWAP-11', 'CUSTOMER-2'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
      const shared = (await arrange(t, otherCustomer)).ownedProduct().product
      const others = await snapshot(t, otherCustomer)
      await swapSharedLine(t, subscribed, shared)
      t.equal(await snapshot(t, otherCustomer), others, 'everything about the other customer')
    },
  },
  'reactivateSubscription.reaches-no-subscription-of-another-customer': {
    title: "Another customer's cancelled subscription is 404 `subscription_not_found` and stays cancelled.",
    requirements: ['CUSTOMER-2', 'REACTIVATE-3'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { otherCustomer, cancelled } = both(t)
      const before = [await snapshot(t, cancelled), await snapshot(t, otherCustomer)]
      const [first = t.spent('nothing is left to reactivate')] = await readCancelled(t, otherCustomer)
      const { subscription_id } = first
      t.refused(await t.call('reactivateSubscription', { email: cancelled, subscription_id }), 'subscription_not_found')
      t.equal([await snapshot(t, cancelled), await snapshot(t, otherCustomer)], before, 'both customers')
    },
  },
  'undoAddProduct.takes-back-no-add-of-another-customer': {
    title: 'A product that another customer added is 404 `product_not_in_order` and stays added.',
    requirements: ['CUSTOMER-2', 'UNDO-3'],
    needs: ['addProduct', 'undoAddProduct', 'getSubscription', 'delaySubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
      const { before, newProduct } = await arrange(t, otherCustomer)
      const product_id = newProduct().id
      await perform(t, 'addProduct', { email: otherCustomer, product_id }, 'ADD-1')
      const added = await readSubscription(t, otherCustomer)
      await clickBetween(t, subscribed)
      t.refused(await t.call('undoAddProduct', { email: subscribed, product_id }), 'product_not_in_order')
      t.equal(await readSubscription(t, otherCustomer), added, 'the subscription of the other customer')
      await undoAdd(t, otherCustomer, product_id)
      t.equal(await readSubscription(t, otherCustomer), before, 'their subscription after their own undo', 'UNDO-2')
    },
  },
  'reactivateSubscription.tells-nothing-of-another-customer': {
    title: 'A subscription of another customer, cancelled or active, is answered like an id that nobody has.',
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions'],
    async run(t) {
      const { otherCustomer, cancelled } = both(t)
      const { active, unknown } = t.profile.subscriptions
      const nobodys = await t.call('reactivateSubscription', { email: cancelled, subscription_id: unknown })
      const others = (await readCancelled(t, otherCustomer)).map(({ subscription_id }) => subscription_id)
      for (const subscription_id of [...others, ...(active === undefined ? [] : [active])]) {
        const reply = await t.call('reactivateSubscription', { email: cancelled, subscription_id })
        expectAlike(t, reply, nobodys)
      }
    },
  },
  'swapProduct.tells-nothing-of-another-customer': {
    title: 'An item of another customer is answered like an id that no item has.',
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
      const others = await itemsOfOtherCustomer(t, subscribed, otherCustomer)
      const [product] = await productsToTry(t, subscribed)
      const new_product_id = product?.id ?? t.skip('no product is listed that the customer does not have')
      const swap = { email: subscribed, new_product_id }
      const nobodys = await t.call('swapProduct', { ...swap, current_item_id: 'no-such-item' })
      for (const { id } of others) {
        expectAlike(t, await t.call('swapProduct', { ...swap, current_item_id: id }), nobodys)
      }
    },
  },
  'undoAddProduct.tells-nothing-of-another-customer': {
    title: 'A product that another customer added is answered like one that nobody added.',
    requirements: ['PRIVACY-2', 'CUSTOMER-2'],
    needs: ['addProduct', 'undoAddProduct', 'getSubscription', 'delaySubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
      const product_id = (await arrange(t, otherCustomer)).newProduct().id
      await clickBetween(t, subscribed)
      const nobodys = await t.call('undoAddProduct', { email: subscribed, product_id })
      await perform(t, 'addProduct', { email: otherCustomer, product_id }, 'ADD-1')
      const reply = await t.call('undoAddProduct', { email: subscribed, product_id })
      await undoAdd(t, otherCustomer, product_id)
      expectAlike(t, reply, nobodys)
    },
  },
  'customers.change-nothing-of-each-other': {
    title: 'What one customer adds, swaps and delays changes nothing of another.',
    requirements: ['CUSTOMER-2'],
    needs: ['addProduct', 'undoAddProduct', 'swapProduct', 'delaySubscription', 'getSubscription', 'listProducts'],
    async run(t) {
      const { otherCustomer, subscribed } = both(t)
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
      t.equal(await snapshot(t, otherCustomer), others, 'everything about the other customer')
    },
  },
})

function both(t: CheckContext) {
  const { subscribed, otherCustomer, cancelled } = t.profile.customers
  return {
    subscribed: t.need(subscribed, 'customers.subscribed'),
    otherCustomer: t.need(otherCustomer, 'customers.otherCustomer'),
    cancelled: t.need(cancelled, 'customers.cancelled'),
  }
}

/** The items of the other customer whose ids the customer has none of; skips the check when there are none. */
async function itemsOfOtherCustomer(t: CheckContext, subscribed: string, otherCustomer: string) {
  const own = await readSubscription(t, subscribed)
  const { items } = await readSubscription(t, otherCustomer)
  const others = items.filter(({ id }) => !own.items.some((item) => item.id === id))
  if (others.length === 0) t.skip('both customers have items of these ids')
  return others
}

/**
 * Products for a swap that no shop takes for the repeat of an earlier one, whose target the customer has now: any after another
 * click, else those that the customer does not have.
 */
async function productsToTry(t: CheckContext, email: string): Promise<readonly Product[]> {
  const products = await readProducts(t)
  if (t.offered.includes('delaySubscription')) {
    await clickBetween(t, email)
    return products
  }
  const { items } = await readSubscription(t, email)
  return products.filter(({ title }) => !items.some((item) => item.title === title))
}

/** Expects the answer to what somebody else has to be the one to what nobody has. */
function expectAlike(t: CheckContext, reply: Reply, nobodys: Reply): void {
  t.that(nobodys.status >= 400, 'a refusal', nobodys)
  t.equal(reply.status, nobodys.status, 'the status', reply)
  t.equal(reply.json, nobodys.json, 'the body', reply)
}
