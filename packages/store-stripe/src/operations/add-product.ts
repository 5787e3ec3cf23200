import { type AddProductInput, StoreError } from '@storeport/core'
import { addProduct, type Item, soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { dueAt, idOf } from '../account/to-account.ts'
import { type Change, type Plan } from './change-once.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { type PricedProduct, readProduct } from '../shop/read-products.ts'
import { requireCurrent, type StoreContext, intervalOf, newObject, oneTimePrice } from './context.ts'
import { findUnapplied, isPercentage, usesOf, withPromotions } from './discounts.ts'

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
      readProduct(settings, requests, input.product_id, intervalOf(loaded, store)),
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

/** Applies a percentage discount to the line, and a fixed-amount discount to the order. */
function addToSubscription(adding: Adding, { id, quantity }: Item): Change {
  const { store, loaded, input, product, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = current.items.data.find((item) => item.id === id)
  const unapplied = findUnapplied(promotion, present?.discounts ?? [], current, loaded)
  const ofLine = isPercentage(promotion)
  const lineDiscounts = withPromotions(present?.discounts ?? [], ofLine ? unapplied : undefined)
  const orderDiscounts = withPromotions(current.discounts, ofLine ? undefined : unapplied)
  return {
    holder: current,
    mark: {
      product: input.product_id,
      quantity: input.quantity,
      due: dueAt(current),
      promotion: unapplied ?? findShared(adding, current.id),
    },
    send: (metadata, options) =>
      stripe.subscriptions.update(
        current.id,
        {
          items: [
            {
              ...(present ? { id: present.id } : { price: product.price.id }),
              quantity,
              ...(lineDiscounts && { discounts: lineDiscounts }),
            },
          ],
          ...(orderDiscounts && { discounts: orderDiscounts }),
          proration_behavior: 'none',
          metadata,
        },
        options,
      ),
  }
}

/** Returns the promotion code if an earlier add or swap applied the code, so that the code remains until both are undone. */
function findShared({ loaded, input, promotion }: Adding, holder = ''): string | undefined {
  const use = { promotion: promotion?.id, product: input.product_id, holder }
  const uses = usesOf(use, isPercentage(promotion) ? 'line' : 'order', requireCurrent(loaded), loaded)
  return uses.length > 0 ? promotion?.id : undefined
}

/** Adds a line with its own price to the next invoice only, because invoice items cannot use a recurring price. */
function addToNextInvoice(adding: Adding, { id }: Item): Change {
  const { store, loaded, input, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = loaded.invoiceItems.find((item) => item.id === id)
  const unapplied = findUnapplied(promotion, present?.discounts ?? [], current, loaded)
  const discounts = withPromotions(present?.discounts ?? [], unapplied)
  const mark = {
    product: input.product_id,
    quantity: input.quantity,
    promotion: unapplied ?? findShared(adding, present?.id),
  }
  if (present !== undefined) {
    const quantity = present.quantity + input.quantity
    return {
      holder: present,
      mark,
      send: (metadata, options) =>
        stripe.invoiceItems.update(present.id, { quantity, metadata, ...(discounts && { discounts }) }, options),
    }
  }
  const line = { ...invoiceLine(adding), customer: idOf(current.customer), subscription: current.id }
  return {
    holder: newObject,
    mark,
    send: (metadata, options) =>
      stripe.invoiceItems.create({ ...line, metadata, ...(discounts && { discounts }) }, options),
  }
}

function invoiceLine({ store, input, product: { product, price } }: Adding): Stripe.InvoiceItemCreateParams {
  return {
    price_data: oneTimePrice(store, product.id, price),
    quantity: input.quantity,
    description: product.title,
  }
}
