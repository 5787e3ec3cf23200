import { type AddProductInput, StoreError } from '@storeport/core'
import { addProduct, type CatalogueProduct, type Item, soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { dueAt, idOf, sharedRates } from '../account/to-account.ts'
import type { UsablePromotion } from '../shop/find-promotion-code.ts'
import type { Session } from '../stripe/session.ts'
import type { Settings } from '../stripe/settings.ts'
import type { Change, Plan } from './change-once.ts'
import { newObject, oneTimePrice, readOffer, requireCurrent, updateInvoiceItem, updateSubscription } from './context.ts'
import { placeCode } from './discounts.ts'

/** Data for the Stripe request that adds a product. */
interface Adding {
  readonly session: Session
  readonly loaded: LoadedCustomer
  readonly input: AddProductInput
  /** Item after the add. */
  readonly item: Item
  readonly product: CatalogueProduct
  readonly price: Stripe.Price
  readonly promotion: UsablePromotion | undefined
}

/** Adds a product to the current subscription or its next invoice. */
export function planAdd(input: AddProductInput): Plan {
  return async (loaded, session) => {
    const { priced, promotion, shop } = await readOffer(session, loaded, input.product_id, input.discount_code)
    const after = addProduct(loaded.account, input, shop)
    const before = soonest(loaded.account.subscriptions)
    // The rule would create a one-off order, which this store does not support.
    if (before === undefined) throw new StoreError('subscription_not_found')
    const item = soonest(after.subscriptions)?.items.find((changed) => !before.items.includes(changed))
    if (item === undefined || priced?.price === undefined) throw new StoreError('product_unavailable')
    const adding = { session, loaded, input, item, product: priced.product, price: priced.price, promotion }
    return input.one_time ? addToNextInvoice(adding) : addToSubscription(adding)
  }
}

function addToSubscription({ session, loaded, input, item, price, promotion }: Adding): Change {
  const current = requireCurrent(loaded)
  const { data } = current.items
  const present = data.find(({ id }) => id === item.id)
  // An item with the quantity 0 has the price, which Stripe accepts only once.
  const found = present ?? data.find((other) => other.quantity === 0 && other.price.id === price.id)
  const code = placeCode(promotion, current, loaded, present, false)
  const line = {
    ...(found ? { id: found.id } : { price: price.id }),
    quantity: item.quantity,
    ...(present === undefined && requireRates(session, current)),
    ...code.line,
  }
  const { product_id: product, quantity } = input
  return {
    ...updateSubscription(session, current, { items: [line], ...code.order }),
    mark: { product, quantity, due: dueAt(current), promotion: code.promotion },
  }
}

/** Adds a line with its own price to the next invoice only, because invoice items cannot use a recurring price. */
function addToNextInvoice({ session, loaded, input, item, product, price, promotion }: Adding): Change {
  const current = requireCurrent(loaded)
  const present = loaded.invoiceItems.find(({ id }) => id === item.id)
  const code = placeCode(promotion, current, loaded, present, true)
  const mark = { product: product.id, quantity: input.quantity, promotion: code.promotion }
  if (present !== undefined) {
    const quantity = present.quantity + input.quantity
    return { ...updateInvoiceItem(session, present, { quantity, ...code.line }), mark }
  }
  const line = {
    customer: idOf(current.customer),
    subscription: current.id,
    price_data: oneTimePrice(session, product.id, price),
    quantity: item.quantity,
    description: product.title,
    ...requireRates(session, current),
    ...code.line,
  }
  return {
    holder: newObject,
    mark,
    send: (metadata, options) => session.stripe.invoiceItems.create({ ...line, metadata }, options),
  }
}

/** Returns the tax rates of a new line. Throws StoreError `product_unavailable` if the other lines have different rates. */
function requireRates({ reported }: Settings, current: Stripe.Subscription): { tax_rates?: string[] } {
  const rates = sharedRates(current)
  if (rates !== undefined) return rates.length === 0 ? {} : { tax_rates: rates.map(({ id }) => id) }
  if (!reported.has(current.id))
    process.emitWarning(`${current.id}: nothing can be added, because its items have different tax rates.`)
  reported.add(current.id)
  throw new StoreError('product_unavailable')
}
