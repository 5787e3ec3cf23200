import type { Product } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { arrange, newProduct, ownedProduct } from './arrange.ts'
import { readSubscription } from './read.ts'

/**
 * Swaps a line of the current subscription there and back, one of the two times away from a product that somebody else, or
 * another subscription, has too: where items have the ids of their products, that swap names a line that both have.
 */
export async function swapSharedLine(t: CheckContext, email: string, shared: Product): Promise<void> {
  const start = await arrange(t, email)
  const isThere = start.before.items.some(({ title }) => title === shared.title)
  const { item, place, product } = ownedProduct(t, isThere ? { ...start, products: [shared] } : start)
  const target = isThere ? newProduct(t, start) : shared
  t.accepted(await t.call('swapProduct', { email, current_item_id: item.id, new_product_id: target.id }), 'SWAP-1')
  const current_item_id = (await readSubscription(t, email)).items[place]?.id
  t.accepted(await t.call('swapProduct', { email, current_item_id, new_product_id: product.id }), 'SWAP-1')
}
