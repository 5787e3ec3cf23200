import { StoreError, type UndoAddProductInput } from '@storeport/core'
import { undoAddProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { subscriptionOf } from '../account/to-account.ts'
import type { Change, Plan } from './change-once.ts'
import type { FoundMark } from '../account/mark.ts'
import { isOrder, marksOf, readInvoices, type StoreContext } from './context.ts'
import { hasCode, isUsed, removeCode } from './discounts.ts'

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
  const { promotion } = mark
  const isOfLine = promotion !== undefined && hasCode(item, promotion)
  const left = quantity > 0 ? { id: item.id, quantity, ...removeCode(item, promotion) } : { id: item.id, deleted: true }
  return {
    holder: subscription,
    closes: [{ ...mark, promotion: undefined }],
    send: (metadata, options) =>
      stripe.subscriptions.update(
        subscription.id,
        {
          items: [left],
          ...(!isOfLine && removeCode(subscription, findUnused(loaded, subscription, mark))),
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
  { settings: { stripe } }: StoreContext,
  loaded: LoadedCustomer,
  item: Stripe.InvoiceItem,
  mark: FoundMark,
): Change {
  const subscription = loaded.subscriptions.find(({ id }) => id === subscriptionOf(item))
  if (subscription === undefined) throw new StoreError('product_not_in_order')
  const quantity = item.quantity - (mark.quantity ?? 0)
  if (quantity <= 0)
    return {
      holder: subscription,
      mark: { deletes: item.id },
      send: (metadata, options) => stripe.subscriptions.update(subscription.id, { metadata }, options),
    }
  const discounts = removeCode(item, findUnused(loaded, subscription, mark))
  return {
    holder: item,
    closes: [{ ...mark, promotion: undefined }],
    send: (metadata, options) => stripe.invoiceItems.update(item.id, { quantity, metadata, ...discounts }, options),
  }
}

/** Returns the code of an add if no other change of the same object uses the code. */
function findUnused(loaded: LoadedCustomer, subscription: Stripe.Subscription, mark: FoundMark): string | undefined {
  const { promotion, holder } = mark
  return promotion !== undefined && isUsed(promotion, holder, subscription, loaded, mark) ? undefined : promotion
}
