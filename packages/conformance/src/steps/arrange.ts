import type { CurrentSubscription, Product, SubscriptionItem } from '@storeport/core'
import { contentOf } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check-context.ts'
import { readProducts, readSubscription } from './customers.ts'

/** A customer, what their next order holds, and the products that can be ordered. */
export type Arrangement = ReturnType<typeof arranged>

/** Reads what a customer with an active subscription has; default the customer with several subscriptions. */
export async function arrange(t: CheckContext, email = t.profile.customers.subscribed): Promise<Arrangement> {
  const known = t.need(email, 'customers.subscribed')
  return arranged(t, known, await readSubscription(t, known), await readProducts(t))
}

/** What can be ordered by a customer with that subscription. */
export function arranged(t: CheckContext, email: string, before: CurrentSubscription, products: readonly Product[]) {
  const itemsOf = (product: Product) => before.items.filter(({ title }) => title === product.title)
  return {
    email,
    before,
    products,
    /** A product that can be ordered and is no item of the subscription: items and products are matched by their titles. */
    newProduct(): Product {
      const found = products.find((product) => itemsOf(product).length === 0)
      return found ?? t.spent('every listed product is an item of the current subscription already')
    },
    /** An item, its place and its product, which can be ordered; a product that occurs twice has a one-time line too. */
    ownedProduct() {
      for (const [place, item] of before.items.entries()) {
        const product = products.find(({ title }) => title === item.title)
        if (product !== undefined && itemsOf(product).length === 1) return { item, place, product }
      }
      return t.spent('no item of the current subscription is a listed product')
    },
  }
}

/**
 * The lines of a subscription that it did not have before, a line that has changed being a new one.
 *
 * Lines are compared by their content: other checks judge their ids.
 */
export function newItems(before: CurrentSubscription, after: CurrentSubscription): readonly SubscriptionItem[] {
  const had = before.items.map(contentOf)
  return after.items.filter((item) => {
    const place = had.indexOf(contentOf(item))
    if (place !== -1) had.splice(place, 1)
    return place === -1
  })
}

/**
 * Swaps a line of the current subscription there and back, one of the two times away from a product that somebody else, or
 * another subscription, has too: where items have the ids of their products, that swap names a line that both have.
 */
export async function swapSharedLine(t: CheckContext, email: string, shared: Product): Promise<void> {
  const start = await arrange(t, email)
  const isThere = start.before.items.some(({ title }) => title === shared.title)
  const { item, place, product } = isThere
    ? arranged(t, email, start.before, [shared]).ownedProduct()
    : start.ownedProduct()
  const target = isThere ? start.newProduct() : shared
  t.accepted(await t.call('swapProduct', { email, current_item_id: item.id, new_product_id: target.id }), 'SWAP-1')
  const current_item_id = (await readSubscription(t, email)).items[place]?.id
  t.accepted(await t.call('swapProduct', { email, current_item_id, new_product_id: product.id }), 'SWAP-1')
}

/** What lines hold but for their ids, which other checks judge. */
export function linesOf(items: readonly SubscriptionItem[]): readonly object[] {
  return items.map(({ title, price, quantity }) => ({ title, price, quantity }))
}
