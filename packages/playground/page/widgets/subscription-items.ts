import type { CurrentSubscription, Product, SubscriptionItem } from '@storeport/core'
import { wireItemId } from '@storeport/rules'

/**
 * Returns the products that an item can be swapped for: all products except the item's own product. Finds the own
 * product by the item id of a StorePort store. Otherwise uses the title, and the price if several products have this
 * title.
 */
export function listSwapChoices(products: readonly Product[], item: SubscriptionItem): readonly Product[] {
  const named = products.filter(({ id }) => !hasProductId(item, id))
  if (named.length < products.length) return named
  const alike = products.filter(({ title }) => title === item.title)
  const itself = alike.length > 1 ? alike.filter(({ price }) => price === item.price) : alike
  return products.filter((product) => !itself.includes(product))
}

function hasProductId(item: SubscriptionItem, product_id: string): boolean {
  return [false, true].some((one_time) => item.id === wireItemId({ product_id, one_time }))
}

/** Differences between two versions of a subscription. */
export interface Changes {
  /** Whether the date of the next box changed. */
  readonly date: boolean
  /** Ids of new or changed items. */
  readonly items: ReadonlySet<string>
}

/** Compares two versions of a subscription. */
export function compareSubscriptions(before: CurrentSubscription, after: CurrentSubscription): Changes {
  const different = after.items.filter(({ id, title, price, quantity }) => {
    const old = before.items.find((item) => item.id === id)
    return old === undefined || old.title !== title || old.price !== price || old.quantity !== quantity
  })
  return { date: before.next_billing_date !== after.next_billing_date, items: new Set(different.map(({ id }) => id)) }
}
