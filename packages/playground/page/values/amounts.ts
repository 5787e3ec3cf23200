import { calculatePart, type CurrentSubscription, type Discount, minorUnitDigits, toMinor } from '@storeport/core'

/**
 * Returns the estimated totals of the next order, in minor units: items − discount + tax + shipping. Tax applies to
 * items − discount. `shipping` is `null` if the shop does not return it. `digits` is the number of decimals.
 */
export function estimateTotals(subscription: CurrentSubscription, digits: number) {
  const { order_discount_total = 0, shipping_total_cost, customer_tax_rate = 0 } = subscription
  const items = addUp(subscription.items, digits)
  const discount = Math.min(items, toMinor(order_discount_total, digits))
  const shipping = shipping_total_cost === undefined ? null : toMinor(shipping_total_cost, digits)
  const tax = calculatePart(items - discount, customer_tax_rate)
  return { items, discount, shipping, tax, total: items - discount + tax + (shipping ?? 0) }
}

/** Returns the sum of the lines, in minor units. */
export function addUp(lines: readonly { readonly price: number; readonly quantity: number }[], digits: number): number {
  return lines.reduce((sum, line) => sum + toMinor(line.price, digits) * line.quantity, 0)
}

/** Returns the discount on an amount, in minor units; at most the amount. */
export function amountOff(amount: number, discount: Discount | null, digits: number): number {
  if (discount === null) return 0
  if (discount.discount_type === 'percentage') return calculatePart(amount, discount.discount_percentage, 100)
  return Math.min(amount, toMinor(discount.discount_amount, digits))
}

/**
 * Creates a formatter of minor units, such as `$19.95`, with the ISO 4217 decimals of a currency. `Intl` uses other
 * decimals for some currencies.
 */
export function createMoneyFormat(currency: string): (minor: number) => string {
  const digits = minorUnitDigits(currency)
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...decimals })
  return (minor) => format.format(minor / 10 ** digits).replace('-', '−')
}

/** Formats a rate as a percentage with at most two decimals: 0.08 is `8%`. */
export function formatRate(rate: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
}
