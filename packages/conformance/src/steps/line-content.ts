import type { CurrentSubscription, SubscriptionItem } from '@storeport/core'

/** What a line holds: the product by its title, its price and its quantity, but not its id. */
export function contentOf({ title, price, quantity }: Pick<SubscriptionItem, 'title' | 'price' | 'quantity'>): string {
  return JSON.stringify([title, price, quantity])
}

/** Whether two subscriptions hold the same lines in the same order: ids are unique within one answer only, so they tell no two apart. */
export function haveSameLines(one: Lines, other: Lines): boolean {
  return one.items.map(contentOf).join() === other.items.map(contentOf).join()
}

type Lines = Pick<CurrentSubscription, 'items'>
