import { StoreError, type SwapProductInput } from '@storeport/core'
import { type CatalogueProduct, type Item, soonest, swapProduct, wireItemId } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import { dueAt } from '../account/to-account.ts'
import type { UsablePromotion } from '../shop/find-promotion-code.ts'
import type { Session } from '../stripe/session.ts'
import type { Change, Plan } from './change-once.ts'
import { marksOf, oneTimePrice, readOffer, requireCurrent, updateInvoiceItem, updateSubscription } from './context.ts'
import { isPercentage, placeCode, replaceCode } from './discounts.ts'

/** Data for the Stripe request that swaps a product. */
interface Swapping {
  readonly session: Session
  readonly loaded: LoadedCustomer
  readonly item: Item
  /** Existing item with the new product, if any. The swapped item is merged into this item. */
  readonly present: Item | undefined
  readonly product: CatalogueProduct
  readonly price: Stripe.Price
  readonly promotion: UsablePromotion | undefined
  /** Marks of earlier adds to the swapped item. After the swap, these adds can no longer be undone. */
  readonly closes: readonly FoundMark[]
}

/** Changes the price of an item, or merges the item into an existing item of the new product. */
export function planSwap(input: SwapProductInput): Plan {
  return async (loaded, session) => {
    const { discount_code, current_item_id, new_product_id } = input
    const { priced, promotion, shop } = await readOffer(session, loaded, new_product_id, discount_code)
    const after = swapProduct(loaded.account, input, shop)
    if (after === loaded.account) return undefined
    const { items = [] } = soonest(loaded.account.subscriptions) ?? {}
    const item = items.find((other) => wireItemId(other) === current_item_id)
    if (item === undefined || priced?.price === undefined) throw new StoreError('item_not_found')
    const present = items.find((other) => other.product_id === new_product_id && other.one_time === item.one_time)
    const left = loaded.account.adds.filter(({ id }) => !after.adds.some((add) => add.id === id))
    const closes = marksOf(left, loaded)
    const { product, price } = priced
    const swapping: Swapping = { session, loaded, item, present, product, price, promotion, closes }
    return item.one_time ? swapInvoiceItem(swapping) : swapSubscriptionItem(swapping)
  }
}

function swapSubscriptionItem(swapping: Swapping): Change {
  const { session, loaded, item, present, price, closes } = swapping
  const current = requireCurrent(loaded)
  const target = current.items.data.find(({ id }) => id === (present ?? item).id)
  const code = placeSwapCode(swapping, target)
  const items = present
    ? [
        { id: present.id, quantity: present.quantity + item.quantity },
        { id: item.id, deleted: true },
      ]
    : [{ id: item.id, price: price.id, quantity: item.quantity, ...code.line }]
  return {
    ...updateSubscription(session, current, { items, ...code.order }),
    mark: { promotion: code.promotion, due: dueAt(current) },
    closes: closes.filter(({ holder }) => holder === current.id),
  }
}

function swapInvoiceItem(swapping: Swapping): Change {
  const { session, loaded, item, present, price, product, closes } = swapping
  const find = (id: string | undefined) => loaded.invoiceItems.find((other) => other.id === id)
  const own = find(item.id)
  const joined = find(present?.id)
  if (own === undefined) throw new StoreError('item_not_found')
  const target = joined ?? own
  const code = placeSwapCode(swapping, target)
  const price_data = oneTimePrice(session, product.id, price)
  const params = joined
    ? { quantity: joined.quantity + own.quantity }
    : { price_data, quantity: own.quantity, description: product.title }
  return {
    ...updateInvoiceItem(session, target, { ...params, ...code.line }),
    mark: { deletes: joined && own.id, promotion: code.promotion },
    closes: closes.filter(({ holder }) => holder === target.id),
  }
}

/** Applies the code of a swap. A percentage replaces the code of a line that is not joined, because it applies to all units. */
function placeSwapCode(
  { loaded, item, present, promotion }: Swapping,
  target: Stripe.SubscriptionItem | Stripe.InvoiceItem | undefined,
): ReturnType<typeof placeCode> {
  if (target !== undefined && present === undefined && promotion !== undefined && isPercentage(promotion))
    return { line: { discounts: replaceCode(target, promotion.id) } }
  return placeCode(promotion, requireCurrent(loaded), loaded, target, item.one_time)
}
