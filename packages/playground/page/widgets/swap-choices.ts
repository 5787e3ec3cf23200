import type { Product, SubscriptionItem } from '@storeport/core'
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
