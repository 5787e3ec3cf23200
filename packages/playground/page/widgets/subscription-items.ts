import type { CurrentSubscription, Product, SubscriptionItem } from '@storeport/core'
import { wireItemId } from '@storeport/rules'

/**
 * The products that an item can become: what is listed, without the product that the item is. StorePort names an item by
 * its product; a shop that does not is understood by the title, as far as one product alone has it.
 */
export function swapChoices(products: readonly Product[], item: SubscriptionItem): readonly Product[] {
  const named = products.filter(({ id }) => !isNamedBy(item, id))
  if (named.length < products.length) return named
  const alike = products.filter(({ title }) => title === item.title)
  const itself = alike.length > 1 ? alike.filter(({ price }) => price === item.price) : alike
  return products.filter((product) => !itself.includes(product))
}

function isNamedBy(item: SubscriptionItem, product_id: string): boolean {
  return [false, true].some((one_time) => item.id === wireItemId({ product_id, one_time }))
}

/** What of a subscription is different from how it was read before. */
export interface Changes {
  /** Whether it is the date of the next box. */
  readonly date: boolean
  /** Ids of the items that are new or different. */
  readonly items: ReadonlySet<string>
}

/** What is different between two readings of a subscription. */
export function compareSubscriptions(before: CurrentSubscription, after: CurrentSubscription): Changes {
  const different = after.items.filter(({ id, title, price, quantity }) => {
    const old = before.items.find((item) => item.id === id)
    return old === undefined || old.title !== title || old.price !== price || old.quantity !== quantity
  })
  return { date: before.next_billing_date !== after.next_billing_date, items: new Set(different.map(({ id }) => id)) }
}
