import { StoreError, type UndoAddProductInput } from '@storeport/core'
import { undoAddProduct } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { idOf } from '../account/to-account.ts'
import type { Change, Plan } from './change-once.ts'
import type { FoundMark } from '../account/mark.ts'
import { type StoreContext, marksOf } from './context.ts'
import { withoutPromotion } from './discounts.ts'

/** Undoes the latest unbilled add of a product. */
export function planUndo(store: StoreContext, input: UndoAddProductInput): Plan {
  return async (loaded) => {
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
    return takeOffSubscription(store, subscription, item, mark)
  }
}

function takeOffSubscription(
  { settings: { stripe } }: StoreContext,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  mark: FoundMark,
): Change {
  const quantity = (item.quantity ?? 1) - (mark.quantity ?? 0)
  const lineDiscounts = withoutPromotion(item.discounts, mark.promotion)
  const orderDiscounts = withoutPromotion(subscription.discounts, mark.promotion)
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

/** Lowers the quantity of an invoice item, or deletes the item if its quantity would be 0. */
function takeOffInvoice(
  { settings: { stripe } }: StoreContext,
  { customers, subscriptions }: LoadedCustomer,
  item: Stripe.InvoiceItem,
  mark: FoundMark,
): Change {
  const quantity = item.quantity - (mark.quantity ?? 0)
  if (quantity > 0) {
    const discounts = withoutPromotion(item.discounts, mark.promotion)
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
  return deleteMarked(stripe, { customers, subscriptions }, item)
}

/** Writes a mark to the subscription or customer, then deletes the invoice item whose id is in the mark. */
function deleteMarked(
  stripe: Stripe,
  { customers, subscriptions }: Pick<LoadedCustomer, 'customers' | 'subscriptions'>,
  item: Stripe.InvoiceItem,
): Change {
  const subscription = subscriptions.find(({ id }) => id === item.parent?.subscription_details?.subscription)
  if (subscription !== undefined) {
    return {
      holder: subscription,
      mark: { deletes: item.id },
      send: (metadata, options) => stripe.subscriptions.update(subscription.id, { metadata }, options),
    }
  }
  const customer = customers.find(({ id }) => id === idOf(item.customer)) ?? customers[0]
  return {
    holder: customer,
    mark: { deletes: item.id },
    send: (metadata, options) => stripe.customers.update(customer.id, { metadata }, options),
  }
}
