import { type AddProductInput, StoreError } from '@storeport/core'
import { addProduct, type Item, soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { dueAt, idOf, sharedRates } from '../account/to-account.ts'
import type { Change, Plan } from './change-once.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { type PricedProduct, readProduct } from '../shop/read-products.ts'
import { findInterval, newObject, oneTimePrice, requireCurrent, type StoreContext } from './context.ts'
import { placeCode } from './discounts.ts'

/** Data for the Stripe request that adds a product. */
interface Adding {
  readonly store: StoreContext
  readonly loaded: LoadedCustomer
  readonly input: AddProductInput
  readonly product: Required<PricedProduct> & { readonly price: Stripe.Price }
  readonly promotion: UsablePromotion | undefined
}

/** Adds a product to the current subscription or its next invoice. */
export function planAdd(store: StoreContext, input: AddProductInput): Plan {
  return async (loaded, requests) => {
    const { settings, createShop } = store
    const { discount_code } = input
    const customers = loaded.customers.map(({ id }) => id)
    const [priced, promotion] = await Promise.all([
      readProduct(settings, requests, input.product_id, findInterval(loaded, store)),
      discount_code === undefined ? undefined : findPromotionCode(settings, requests, discount_code, customers),
    ])
    const shop = createShop({ product: () => priced?.product, discount: () => promotion?.terms })
    const after = addProduct(loaded.account, input, shop)
    if (priced?.price === undefined) throw new StoreError('product_unavailable')
    const adding: Adding = { store, loaded, input, product: { ...priced, price: priced.price }, promotion }
    const before = soonest(loaded.account.subscriptions)
    // The rule would create a one-off order, which this store does not support.
    if (before === undefined) throw new StoreError('subscription_not_found')
    const item = soonest(after.subscriptions)?.items.find((changed) => !before.items.includes(changed))
    if (item === undefined) throw new StoreError('product_unavailable')
    return input.one_time ? addToNextInvoice(adding, item) : addToSubscription(adding, item)
  }
}

function addToSubscription(adding: Adding, { id, quantity }: Item): Change {
  const { store, loaded, input, product, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = current.items.data.find((item) => item.id === id)
  // An item with the quantity 0 has the price, which Stripe accepts only once.
  const item =
    present ?? current.items.data.find((other) => other.quantity === 0 && other.price.id === product.price.id)
  const code = placeCode(promotion, current, loaded, present, false)
  const line = {
    ...(item ? { id: item.id } : { price: product.price.id }),
    quantity,
    ...(present === undefined && requireRates(adding)),
    ...code.line,
  }
  return {
    holder: current,
    mark: {
      product: input.product_id,
      quantity: input.quantity,
      due: dueAt(current),
      promotion: code.promotion,
    },
    send: (metadata, options) =>
      stripe.subscriptions.update(
        current.id,
        { items: [line], ...code.order, proration_behavior: 'none', metadata },
        options,
      ),
  }
}

/** Returns the tax rates of a new line. Throws StoreError `product_unavailable` if the other lines have different rates. */
function requireRates({ store: { reported }, loaded }: Adding): { tax_rates?: string[] } {
  const current = requireCurrent(loaded)
  const rates = sharedRates(current)
  if (rates !== undefined) return rates.length === 0 ? {} : { tax_rates: rates.map(({ id }) => id) }
  if (!reported.has(current.id))
    process.emitWarning(`${current.id}: nothing can be added, because its items have different tax rates.`)
  reported.add(current.id)
  throw new StoreError('product_unavailable')
}

/** Adds a line with its own price to the next invoice only, because invoice items cannot use a recurring price. */
function addToNextInvoice(adding: Adding, { id, quantity }: Item): Change {
  const { store, loaded, input, product, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = loaded.invoiceItems.find((item) => item.id === id)
  const code = placeCode(promotion, current, loaded, present, true)
  const mark = { product: input.product_id, quantity: input.quantity, promotion: code.promotion }
  if (present !== undefined) {
    return {
      holder: present,
      mark,
      send: (metadata, options) =>
        stripe.invoiceItems.update(
          present.id,
          { quantity: present.quantity + input.quantity, ...code.line, metadata },
          options,
        ),
    }
  }
  const line = {
    customer: idOf(current.customer),
    subscription: current.id,
    price_data: oneTimePrice(store, input.product_id, product.price),
    quantity,
    description: product.product.title,
    ...requireRates(adding),
    ...code.line,
  }
  return {
    holder: newObject,
    mark,
    send: (metadata, options) => stripe.invoiceItems.create({ ...line, metadata }, options),
  }
}
