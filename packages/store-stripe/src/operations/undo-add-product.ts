import { StoreError, type UndoAddProductInput } from '@storeport/core'
import { undoAddProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import { subscriptionOf } from '../account/to-account.ts'
import type { Settings } from '../stripe/settings.ts'
import type { Change, Plan } from './change-once.ts'
import { isOrder, marksOf, readInvoices, updateInvoiceItem, updateSubscription } from './context.ts'
import { hasCode, isUsed, removeCode } from './discounts.ts'

/** Undoes the latest unbilled add of a product. */
export function planUndo(input: UndoAddProductInput): Plan {
  return async (loaded, session) => {
    const { account, invoiceItems, subscriptions } = loaded
    const after = undoAddProduct(account, input, session.createShop({}))
    const [add] = account.adds.filter(({ id }) => !after.adds.some((left) => left.id === id))
    const [mark] = marksOf(add ? [add] : [], loaded)
    const invoiceItem = invoiceItems.find(({ id }) => id === mark?.holder)
    const owner = (invoiceItem && subscriptionOf(invoiceItem)) ?? mark?.holder
    const subscription = subscriptions.find(({ id }) => id === owner)
    if (mark === undefined || subscription === undefined) throw new StoreError('product_not_in_order')
    if (invoiceItem !== undefined) return takeOffInvoice(session, loaded, subscription, invoiceItem, mark)
    const item = subscription.items.data.find(({ id }) => id === add?.item_id)
    // An invoice in the middle of a period, for example a manual one, can contain the added units.
    const invoices = await readInvoices(session, { subscription: subscription.id })
    const isBilled = invoices.some((invoice) => isOrder(invoice) && invoice.created > mark.at)
    if (item === undefined || isBilled) throw new StoreError('product_not_in_order')
    return takeOffSubscription(session, loaded, subscription, item, mark)
  }
}

function takeOffSubscription(
  settings: Settings,
  loaded: LoadedCustomer,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  mark: FoundMark,
): Change {
  const { promotion } = mark
  const quantity = (item.quantity ?? 1) - (mark.quantity ?? 0)
  const line = quantity > 0 ? { id: item.id, quantity, ...removeCode(item, promotion) } : { id: item.id, deleted: true }
  const isOfLine = promotion !== undefined && hasCode(item, promotion)
  const order = isOfLine ? {} : removeCode(subscription, findUnused(loaded, subscription, mark))
  return {
    ...updateSubscription(settings, subscription, { items: [line], ...order }),
    closes: [{ ...mark, promotion: undefined }],
  }
}

/** Lowers the quantity of an invoice item. At 0, writes a mark to the subscription, then deletes the item that the mark names. */
function takeOffInvoice(
  settings: Settings,
  loaded: LoadedCustomer,
  subscription: Stripe.Subscription,
  item: Stripe.InvoiceItem,
  mark: FoundMark,
): Change {
  const quantity = item.quantity - (mark.quantity ?? 0)
  if (quantity <= 0) return { ...updateSubscription(settings, subscription), mark: { deletes: item.id } }
  const discounts = removeCode(item, findUnused(loaded, subscription, mark))
  return {
    ...updateInvoiceItem(settings, item, { quantity, ...discounts }),
    closes: [{ ...mark, promotion: undefined }],
  }
}

/** Returns the code of an add if no other change of the same object uses the code. */
function findUnused(loaded: LoadedCustomer, subscription: Stripe.Subscription, mark: FoundMark): string | undefined {
  const { promotion, holder } = mark
  return promotion !== undefined && isUsed(promotion, holder, subscription, loaded, mark) ? undefined : promotion
}
