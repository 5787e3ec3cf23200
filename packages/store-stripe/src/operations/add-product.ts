import { type AddProductInput, StoreError } from '@storeport/core'
import { addProduct, type Item, soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { dueAt, idOf, pendingProduct, subscriptionOf, unitAmount } from '../account/to-account.ts'
import { type Change, type Plan } from './change-once.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { type PricedProduct, readProduct } from '../shop/read-products.ts'
import { currentOf, type Desk, intervalOf, newHolder, payingCustomer, requirePayment } from './desk.ts'
import { hasPromotion, withPromotion } from './discounts.ts'

/** What the request for an add is made from. */
interface Adding {
  readonly desk: Desk
  readonly loaded: LoadedCustomer
  readonly input: AddProductInput
  readonly product: Required<PricedProduct> & { readonly price: Stripe.Price }
  readonly promotion: UsablePromotion | undefined
}

/** Adds a product to the items of the current subscription, to its next invoice alone, or, without one, to an invoice of its own. */
export function planAdd(desk: Desk, input: AddProductInput): Plan {
  return async (loaded, asking) => {
    const { settings, createShop } = desk
    const { discount_code } = input
    const customers = loaded.customers.map(({ id }) => id)
    const [priced, promotion] = await Promise.all([
      readProduct(settings, asking, input.product_id, intervalOf(loaded, desk)),
      discount_code === undefined ? undefined : findPromotionCode(settings, asking, discount_code, customers),
    ])
    const shop = createShop({ product: () => priced?.product, discount: () => promotion?.terms })
    const after = addProduct(loaded.account, input, shop)
    if (priced?.price === undefined) throw new StoreError('product_unavailable')
    const adding: Adding = { desk, loaded, input, product: { ...priced, price: priced.price }, promotion }
    const before = soonest(loaded.account.subscriptions)
    if (before === undefined) return orderAtOnce(adding)
    const item = soonest(after.subscriptions)?.items.find((changed) => !before.items.includes(changed))
    if (item === undefined) throw new StoreError('product_unavailable')
    return input.one_time ? addToNextInvoice(adding, item) : addToSubscription(adding, item)
  }
}

/** A percentage is of the line that it was used for; a fixed amount is taken off the order. */
function addToSubscription({ desk, loaded, input, product, promotion }: Adding, { id, quantity }: Item): Change {
  const { stripe } = desk.settings
  const held = currentOf(loaded)
  const present = held.items.data.find((item) => item.id === id)
  const isPercentage = promotion?.terms.kind === 'percentage'
  const ofLine = promotion && isPercentage ? withPromotion(present?.discounts ?? [], promotion.id) : undefined
  const ofOrder = promotion && !isPercentage ? withPromotion(held.discounts, promotion.id) : undefined
  const isApplied = ofLine !== undefined || ofOrder !== undefined
  return {
    holder: held,
    mark: {
      product: input.product_id,
      quantity: input.quantity,
      due: dueAt(held),
      promotion: isApplied ? promotion?.id : undefined,
    },
    send: (metadata, options) =>
      stripe.subscriptions.update(
        held.id,
        {
          items: [
            {
              ...(present ? { id: present.id } : { price: product.price.id }),
              quantity,
              ...(ofLine && { discounts: ofLine }),
            },
          ],
          ...(ofOrder && { discounts: ofOrder }),
          proration_behavior: 'none',
          metadata,
        },
        options,
      ),
  }
}

/** A line of its own on the next invoice: an invoice item, which takes no recurring price and so brings its own. */
function addToNextInvoice(adding: Adding, { id }: Item): Change {
  const { desk, loaded, input, promotion } = adding
  const { stripe } = desk.settings
  const held = currentOf(loaded)
  const present = loaded.invoiceItems.find((item) => item.id === id)
  const others = loaded.invoiceItems.filter(
    (item) => pendingProduct(item) !== undefined && subscriptionOf(item) === held.id,
  )
  const isUsed =
    promotion?.terms.kind === 'fixed_amount' &&
    [held, ...others].some(({ discounts }) => hasPromotion(discounts, promotion.id))
  const discounts = promotion && !isUsed ? withPromotion(present?.discounts ?? [], promotion.id) : undefined
  const mark = { product: input.product_id, quantity: input.quantity, promotion: discounts && promotion?.id }
  if (present !== undefined) {
    const quantity = present.quantity + input.quantity
    return {
      holder: present,
      mark,
      send: (metadata, options) =>
        stripe.invoiceItems.update(present.id, { quantity, metadata, ...(discounts && { discounts }) }, options),
    }
  }
  const line = { ...invoiceLine(adding), customer: idOf(held.customer), subscription: held.id }
  return {
    holder: newHolder,
    mark,
    send: (metadata, options) =>
      stripe.invoiceItems.create({ ...line, metadata, ...(discounts && { discounts }) }, options),
  }
}

/** An invoice item that waits for an invoice that the merchant makes when it packs the order. */
function orderAtOnce(adding: Adding): Change {
  const { desk, loaded, input, promotion } = adding
  const { stripe } = desk.settings
  const customer = payingCustomer(loaded.customers)
  requirePayment(customer)
  const discounts = promotion && withPromotion([], promotion.id)
  const line = { ...invoiceLine(adding), customer: (customer ?? loaded.customers[0]).id }
  return {
    holder: newHolder,
    mark: { product: input.product_id, quantity: input.quantity, promotion: promotion?.id },
    send: (metadata, options) =>
      stripe.invoiceItems.create({ ...line, metadata, ...(discounts && { discounts }) }, options),
  }
}

function invoiceLine({ desk, input, product: { product, price } }: Adding): Stripe.InvoiceItemCreateParams {
  return {
    price_data: { currency: desk.settings.stripeCurrency, product: product.id, unit_amount: unitAmount(price) },
    quantity: input.quantity,
    description: product.title,
  }
}
