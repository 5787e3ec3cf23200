import { type AddProductInput, StoreError } from '@storeport/core'
import { addProduct, type Item, soonest } from '@storeport/rules'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import { dueAt, idOf } from '../account/to-account.ts'
import { type Change, type Plan } from './change-once.ts'
import { findPromotionCode, type UsablePromotion } from '../shop/find-promotion-code.ts'
import { type PricedProduct, readProduct } from '../shop/read-products.ts'
import { findInterval, newObject, oneTimePrice, requireCurrent, sharedRates, type StoreContext } from './context.ts'
import { type Discounts, findUnapplied, hasPromotion, isPercentage, usesOf, withPromotions } from './discounts.ts'

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

/** Applies a percentage discount to the line, and a fixed-amount discount to the order. */
function addToSubscription(adding: Adding, { id, quantity }: Item): Change {
  const { store, loaded, input, product, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = current.items.data.find((item) => item.id === id)
  // An item with the quantity 0 has the price, which Stripe accepts only once.
  const empty = current.items.data.find((item) => item.quantity === 0 && item.price.id === product.price.id)
  const line = present?.discounts ?? []
  if (present !== undefined) requireExact(promotion, line)
  const rates = present === undefined ? requireRates(adding) : []
  const unapplied = findUnapplied(promotion, line, current, loaded)
  const ofLine = isPercentage(promotion)
  const lineDiscounts = withPromotions(line, ofLine ? unapplied : undefined)
  const orderDiscounts = withPromotions(current.discounts, ofLine ? undefined : unapplied)
  return {
    holder: current,
    mark: {
      product: input.product_id,
      quantity: input.quantity,
      due: dueAt(current),
      promotion: unapplied ?? findShared(adding),
    },
    send: (metadata, options) =>
      stripe.subscriptions.update(
        current.id,
        {
          items: [
            {
              ...((present ?? empty) ? { id: (present ?? empty)?.id ?? '' } : { price: product.price.id }),
              quantity,
              ...(rates.length > 0 && { tax_rates: [...rates] }),
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

/** Rejects a percentage that an existing line does not have yet, because Stripe would also reduce its earlier units. */
export function requireExact(promotion: UsablePromotion | undefined, line: Discounts): void {
  if (promotion !== undefined && isPercentage(promotion) && !hasPromotion(line, promotion.id))
    throw new StoreError('invalid_discount_code', 'The code cannot be used for a product that is already in the order.')
}

/** Returns the tax rates of a new line. Throws StoreError `product_unavailable` if the other lines have different rates. */
function requireRates({ store: { reported }, loaded }: Adding): readonly string[] {
  const current = requireCurrent(loaded)
  const rates = sharedRates(current)
  if (rates !== undefined) return rates
  if (!reported.has(current.id))
    process.emitWarning(`${current.id}: nothing can be added, because its items have different tax rates.`)
  reported.add(current.id)
  throw new StoreError('product_unavailable')
}

/** Returns the fixed-amount code if an earlier add or swap applied the code, so that the code remains until both are undone. */
function findShared({ loaded, promotion }: Adding): string | undefined {
  const isUsed = usesOf(promotion?.id, requireCurrent(loaded), loaded).length > 0
  return isUsed && !isPercentage(promotion) ? promotion?.id : undefined
}

/** Adds a line with its own price to the next invoice only, because invoice items cannot use a recurring price. */
function addToNextInvoice(adding: Adding, { id }: Item): Change {
  const { store, loaded, input, promotion } = adding
  const { stripe } = store.settings
  const current = requireCurrent(loaded)
  const present = loaded.invoiceItems.find((item) => item.id === id)
  const lineDiscounts = present?.discounts ?? []
  if (present !== undefined) requireExact(promotion, lineDiscounts)
  const unapplied = findUnapplied(promotion, lineDiscounts, current, loaded)
  const discounts = withPromotions(lineDiscounts, unapplied)
  const { product_id: product, quantity: added } = input
  const mark = { product, quantity: added, promotion: unapplied ?? findShared(adding) }
  if (present !== undefined) {
    const quantity = present.quantity + input.quantity
    return {
      holder: present,
      mark,
      send: (metadata, options) =>
        stripe.invoiceItems.update(present.id, { quantity, metadata, ...(discounts && { discounts }) }, options),
    }
  }
  const rates = requireRates(adding)
  const line = {
    customer: idOf(current.customer),
    subscription: current.id,
    price_data: oneTimePrice(store, product, adding.product.price),
    quantity: added,
    description: adding.product.product.title,
    ...(rates.length > 0 && { tax_rates: [...rates] }),
  }
  return {
    holder: newObject,
    mark,
    send: (metadata, options) =>
      stripe.invoiceItems.create({ ...line, metadata, ...(discounts && { discounts }) }, options),
  }
}
