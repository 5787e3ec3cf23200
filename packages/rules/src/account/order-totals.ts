import type { ActiveSubscription, CustomerAccount, DiscountUse, OrderTotals } from './customer-account.ts'
import { takePart } from '../shop/money.ts'

/** What goes into the totals of an order besides its lines. */
export interface OrderCosts {
  /** Standing discount, in minor units. */
  readonly order_discount_minor: number
  /** Discount codes used for the order. */
  readonly discount_uses: readonly DiscountUse[]
  /** Shipping, in minor units. */
  readonly shipping_minor: number
  /** Tax rate as a decimal. */
  readonly tax_rate: number
}

/** Adds up an order: lines − discount + tax on that + shipping. */
export function orderTotals(
  lines: readonly { readonly quantity: number; readonly price_minor: number }[],
  { order_discount_minor, discount_uses, shipping_minor, tax_rate }: OrderCosts,
): OrderTotals {
  const items_minor = lines.reduce((sum, line) => sum + line.quantity * line.price_minor, 0)
  const discount_minor = Math.min(items_minor, order_discount_minor + sumDiscounts(discount_uses))
  const tax_minor = takePart(items_minor - discount_minor, tax_rate)
  const total_minor = items_minor - discount_minor + tax_minor + shipping_minor
  return { items_minor, discount_minor, shipping_minor, tax_minor, total_minor }
}

/** What the next order of a subscription would cost today. */
export function nextOrderTotals(
  account: Pick<CustomerAccount, 'discount_uses'>,
  subscription: ActiveSubscription,
): OrderTotals {
  const discount_uses = account.discount_uses.filter((use) => use.subscription_id === subscription.id)
  return orderTotals(subscription.items, { ...subscription, discount_uses })
}

/** What the used codes take off together: every percentage, and each fixed code once however often it was used. */
function sumDiscounts(uses: readonly DiscountUse[]): number {
  const percentages = uses.filter((use) => use.kind === 'percentage').map((use) => use.amount_minor)
  const fixed = new Map(uses.filter((use) => use.kind === 'fixed_amount').map((use) => [use.code, use.amount_minor]))
  return [...percentages, ...fixed.values()].reduce((sum, amount) => sum + amount, 0)
}
