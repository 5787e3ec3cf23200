import { type CurrentSubscription, type Discount, minorUnitDigits } from '@storeport/core'
import { toMinor } from '@storeport/rules'

/** What the next order costs as far as the page knows, in minor units; `null` for what the shop does not say. */
export interface EstimatedTotals {
  readonly items: number
  readonly discount: number
  readonly shipping: number | null
  readonly tax: number
  readonly total: number
}

/** Adds up a subscription: items − discount + tax on that + shipping; `digits` are the decimals of its currency. */
export function estimateTotals(subscription: CurrentSubscription, digits: number): EstimatedTotals {
  const { order_discount_total = 0, shipping_total_cost, customer_tax_rate = 0 } = subscription
  const items = sumOf(subscription.items, digits)
  const discount = Math.min(items, toMinor(order_discount_total, digits))
  const shipping = shipping_total_cost === undefined ? null : toMinor(shipping_total_cost, digits)
  const tax = partOf(items - discount, customer_tax_rate)
  return { items, discount, shipping, tax, total: items - discount + tax + (shipping ?? 0) }
}

/** Price of lines together, in minor units. */
export function sumOf(lines: readonly { readonly price: number; readonly quantity: number }[], digits: number): number {
  return lines.reduce((sum, line) => sum + toMinor(line.price, digits) * line.quantity, 0)
}

/** What a discount takes off an amount, in minor units; never more than the amount. */
export function amountOff(amount: number, discount: Discount | null, digits: number): number {
  if (discount === null) return 0
  if (discount.discount_type === 'percentage') return partOf(amount, discount.discount_percentage / 100)
  return Math.min(amount, toMinor(discount.discount_amount, digits))
}

/** A part of an amount in minor units, half a unit upwards; counted in millionths, since 0.05 × 1010 is not 50.5. */
export function partOf(amount: number, ratio: number): number {
  return Math.floor((amount * Math.round(ratio * 1_000_000) + 500_000) / 1_000_000)
}

/** Says an amount of minor units in the shop's currency: `$19.95`. */
export type SayMoney = (minor: number) => string

/** Makes the words for amounts of a currency, with the decimals of its minor unit: Intl knows others for some currencies. */
export function sayMoneyIn(currency: string): SayMoney {
  const digits = minorUnitDigits(currency)
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...decimals })
  return (minor) => format.format(minor / 10 ** digits)
}

/** A rate as a percentage with at most two decimals: 0.08 is `8%`. */
export function sayRate(rate: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
}
