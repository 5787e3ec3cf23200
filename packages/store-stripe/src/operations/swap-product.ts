import { StoreError, type SwapProductInput } from '@storeport/core'
import { type ActiveSubscription, type Item, soonest, swapProduct, wireItemId } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { Change, Plan } from './change-once.ts'
import type { FoundMark } from '../account/mark.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { dueAt } from '../account/to-account.ts'
import { readProduct } from '../shop/read-products.ts'
import { requireCurrent, type StoreContext, findInterval, marksOf, oneTimePrice } from './context.ts'
import { isPercentage, placeCode, replaceCode } from './discounts.ts'

/** Data for the Stripe request that swaps a product. */
interface Swapping {
  readonly store: StoreContext
  readonly loaded: LoadedCustomer
  readonly item: Item
  /** Existing item with the new product, if any. The swapped item is merged into this item. */
  readonly present: Item | undefined
  readonly price: Stripe.Price
  readonly product: string
  readonly title: string
  readonly promotion: UsablePromotion | undefined
  /** Marks of earlier adds to the swapped item. After the swap, these adds can no longer be undone. */
  readonly closes: readonly FoundMark[]
}

/** Changes the price of an item, or merges the item into an existing item of the new product. */
export function planSwap(store: StoreContext, input: SwapProductInput): Plan {
  return async (loaded, requests) => {
    const { settings, createShop } = store
    const { discount_code, current_item_id, new_product_id } = input
    const customers = loaded.customers.map(({ id }) => id)
    const [priced, promotion] = await Promise.all([
      readProduct(settings, requests, new_product_id, findInterval(loaded, store)),
      discount_code === undefined ? undefined : findPromotionCode(settings, requests, discount_code, customers),
    ])
    const shop = createShop({ product: () => priced?.product, discount: () => promotion?.terms })
    const after = swapProduct(loaded.account, input, shop)
    if (after === loaded.account) return undefined
    const before = soonest(loaded.account.subscriptions)
    const item = before?.items.find((other) => wireItemId(other) === current_item_id)
    if (item === undefined || priced?.price === undefined) throw new StoreError('item_not_found')
    const left = loaded.account.adds.filter(({ id }) => !after.adds.some((add) => add.id === id))
    const swapping: Swapping = {
      store,
      loaded,
      item,
      present: findPresent(before, item, new_product_id),
      price: priced.price,
      product: new_product_id,
      title: priced.product.title,
      promotion,
      closes: marksOf(left, loaded),
    }
    return item.one_time ? swapInvoiceItem(swapping) : swapSubscriptionItem(swapping)
  }
}

function findPresent(subscription: ActiveSubscription | undefined, item: Item, product: string): Item | undefined {
  return subscription?.items.find((other) => other.product_id === product && other.one_time === item.one_time)
}

function swapSubscriptionItem(swapping: Swapping): Change {
  const { store, loaded, item, present, price, closes } = swapping
  const { stripe } = store.settings
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
    holder: current,
    mark: { promotion: code.promotion, due: dueAt(current) },
    closes: closes.filter(({ holder }) => holder === current.id),
    send: (metadata, options) =>
      stripe.subscriptions.update(current.id, { items, ...code.order, proration_behavior: 'none', metadata }, options),
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

function swapInvoiceItem(swapping: Swapping): Change {
  const { store, loaded, item, present, price, product, title, closes } = swapping
  const { stripe } = store.settings
  const find = (id: string | undefined) => loaded.invoiceItems.find((other) => other.id === id)
  const own = find(item.id)
  const joined = find(present?.id)
  if (own === undefined) throw new StoreError('item_not_found')
  const target = joined ?? own
  const code = placeSwapCode(swapping, target)
  const params: Stripe.InvoiceItemUpdateParams = joined
    ? { quantity: joined.quantity + own.quantity }
    : { price_data: oneTimePrice(store, product, price), quantity: own.quantity, description: title }
  return {
    holder: target,
    mark: { deletes: joined && own.id, promotion: code.promotion },
    closes: closes.filter(({ holder }) => holder === target.id),
    send: (metadata, options) => stripe.invoiceItems.update(target.id, { ...params, ...code.line, metadata }, options),
  }
}
