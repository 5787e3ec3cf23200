import { StoreError, type UndoAddProductInput } from '@storeport/core'
import { undoAddProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { subscriptionOf } from '../account/to-account.ts'
import type { Change, Plan } from './change-once.ts'
import type { FoundMark } from '../account/mark.ts'
import { isOrder, marksOf, readInvoices, type StoreContext } from './context.ts'
import {
  changeDiscounts,
  findMovable,
  fixedPromotions,
  hasPromotion,
  promotionOf,
  usesOf,
  withoutPromotion,
} from './discounts.ts'

/** Undoes the latest unbilled add of a product. */
export function planUndo(store: StoreContext, input: UndoAddProductInput): Plan {
  return async (loaded, requests) => {
    const { account, invoiceItems, subscriptions } = loaded
    const after = undoAddProduct(account, input, store.createShop({}))
    const undone = account.adds.filter(({ id }) => !after.adds.some((left) => left.id === id))
    const [mark] = marksOf(undone, loaded)
    const invoiceItem = invoiceItems.find(({ id }) => id === mark?.holder)
    const subscription = subscriptions.find(({ id }) => id === mark?.holder)
    const [add] = undone
    if (mark === undefined || add === undefined) throw new StoreError('product_not_in_order')
    if (invoiceItem !== undefined) return takeOffInvoice(store, loaded, invoiceItem, mark)
    const item = subscription?.items.data.find(({ id }) => id === add.item_id)
    if (subscription === undefined || item === undefined) throw new StoreError('product_not_in_order')
    // An invoice in the middle of a period, for example a manual one, can contain the added units.
    const invoices = await readInvoices(store, requests, { subscription: subscription.id })
    if (invoices.some((invoice) => isOrder(invoice) && invoice.created > mark.at))
      throw new StoreError('product_not_in_order')
    return takeOffSubscription(store, loaded, subscription, item, mark)
  }
}

function takeOffSubscription(
  { settings: { stripe } }: StoreContext,
  loaded: LoadedCustomer,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  mark: FoundMark,
): Change {
  const quantity = (item.quantity ?? 1) - (mark.quantity ?? 0)
  const { promotion = '' } = mark
  // A percentage applies to the line that its add created, so no other change of the line uses it.
  const isOnLine = hasPromotion(item.discounts, promotion)
  const isUsed = usesOf(promotion, subscription, loaded).some(({ key }) => key !== mark.key)
  const lineDiscounts = isOnLine ? withoutPromotion(item.discounts, promotion) : undefined
  const orderDiscounts = isUsed || isOnLine ? undefined : withoutPromotion(subscription.discounts, promotion)
  const left =
    quantity > 0
      ? { id: item.id, quantity, ...(lineDiscounts !== undefined && { discounts: lineDiscounts }) }
      : { id: item.id, deleted: true }
  return {
    holder: subscription,
    closes: [mark],
    send: (metadata, options) =>
      stripe.subscriptions.update(
        subscription.id,
        {
          items: [left],
          ...(orderDiscounts !== undefined && { discounts: orderDiscounts }),
          proration_behavior: 'none',
          metadata,
        },
        options,
      ),
  }
}

/**
 * Lowers the quantity of an invoice item. If the quantity would be 0, writes a mark to the subscription, then deletes the item whose
 * id is in the mark.
 */
function takeOffInvoice(
  { settings }: StoreContext,
  loaded: LoadedCustomer,
  item: Stripe.InvoiceItem,
  mark: FoundMark,
): Change {
  const { stripe } = settings
  const { promotion = '' } = mark
  const subscription = loaded.subscriptions.find(({ id }) => id === subscriptionOf(item))
  if (subscription === undefined) throw new StoreError('product_not_in_order')
  const fixed = fixedPromotions(item)
  const isOnItem = hasPromotion(item.discounts, promotion)
  const isPercentage = isOnItem && !fixed.includes(promotion)
  const isUsed = !isPercentage && usesOf(promotion, subscription, loaded).some(({ key }) => key !== mark.key)
  const quantity = item.quantity - (mark.quantity ?? 0)
  if (quantity > 0) {
    const discounts = isUsed ? undefined : withoutPromotion(item.discounts, promotion)
    return {
      holder: item,
      closes: [mark],
      send: (metadata, options) =>
        stripe.invoiceItems.update(
          item.id,
          { quantity, metadata, ...(discounts !== undefined && { discounts }) },
          options,
        ),
    }
  }
  // Changes of other lines can use a fixed amount of the deleted item, so the subscription gets the code.
  const moved = findMovable(item, settings).filter((code) =>
    usesOf(code, subscription, loaded).some(({ holder }) => holder !== item.id),
  )
  const isRemoved = !isUsed && !isOnItem
  const discounts = changeDiscounts(
    subscription.discounts,
    (discount) => !isRemoved || promotionOf(discount) !== promotion,
    moved,
  )
  return {
    holder: subscription,
    mark: { deletes: item.id },
    send: (metadata, options) =>
      stripe.subscriptions.update(
        subscription.id,
        { metadata, ...(discounts !== undefined && { discounts }) },
        options,
      ),
  }
}
