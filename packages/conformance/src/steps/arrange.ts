import type { CurrentSubscription, Product, SubscriptionItem } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { contentOf } from '../engine/changes.ts'
import { readProducts, readSubscription } from './read.ts'

/** A customer, what their next order holds, and the products that can be ordered. */
export interface Arrangement {
  /** The customer. */
  readonly email: string
  /** Their current subscription. */
  readonly before: CurrentSubscription
  /** The general list of products. */
  readonly products: readonly Product[]
}

/** Reads what a customer with an active subscription has; default the customer with several subscriptions. */
export async function arrange(t: CheckContext, email = t.profile.customers.subscribed): Promise<Arrangement> {
  const known = t.need(email, 'customers.subscribed')
  return { email: known, before: await readSubscription(t, known), products: await readProducts(t) }
}

/** A product that can be ordered and is no item of the subscription: items and products are matched by their titles. */
export function newProduct(t: CheckContext, { before, products }: Arrangement): Product {
  const found = products.find(({ title }) => !before.items.some((item) => item.title === title))
  return found ?? t.spent('every listed product is an item of the current subscription already')
}

/** An item of the subscription and its product, which can be ordered; a product that occurs there twice has a one-time line too. */
export function ownedProduct(t: CheckContext, { before, products }: Arrangement): OwnedProduct {
  for (const [place, item] of before.items.entries()) {
    if (before.items.some((other) => other !== item && other.title === item.title)) continue
    const product = products.find(({ title }) => title === item.title)
    if (product !== undefined) return { item, place, product }
  }
  return t.spent('no item of the current subscription is a listed product')
}

/** An item of a subscription, its position, and its product. */
export interface OwnedProduct {
  /** The item. */
  readonly item: SubscriptionItem
  /** Its place among the items, counted from 0. */
  readonly place: number
  /** Its product. */
  readonly product: Product
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
