import type { CurrentSubscription, Product, SubscriptionItem } from '@storeport/core'
import { wireItemId } from '@storeport/rules'

/**
 * Returns the products that an item can be swapped for: all products except the item's own product. Finds the own
 * product by the item id of a StorePort store. Otherwise uses the title, and the price if several products have this
 * title.
 */
export function listSwapChoices(products: readonly Product[], item: SubscriptionItem): readonly Product[] {
  const named = products.filter(
    ({ id: product_id }) => ![false, true].some((one_time) => item.id === wireItemId({ product_id, one_time })),
  )
  if (named.length < products.length) return named
  const alike = products.filter(({ title }) => title === item.title)
  const itself = alike.length > 1 ? alike.filter(({ price }) => price === item.price) : alike
  return products.filter((product) => !itself.includes(product))
}

/** Compares two versions of a subscription: whether the date of the next box changed, and the new or changed items. */
export function compareSubscriptions(before: CurrentSubscription, after: CurrentSubscription) {
  const key = ({ id, title, price, quantity }: SubscriptionItem) => JSON.stringify([id, title, price, quantity])
  const known = before.items.map(key)
  const isChanged = (item: SubscriptionItem) => !known.includes(key(item))
  return { isDateChanged: before.next_billing_date !== after.next_billing_date, isChanged }
}
