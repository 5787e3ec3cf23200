import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import { idOf, pendingProduct, subscriptionOf } from '../account/to-account.ts'
import { isUsable, type UsablePromotion } from '../shop/find-promotion-code.ts'
import type { Settings } from '../stripe/settings.ts'

/** A discount in a Stripe response. */
type DiscountReference = string | Stripe.Discount

/** Discounts in a Stripe response. */
export type Discounts = readonly DiscountReference[] | null

/** Discounts in a Stripe request: ids of existing discounts, and promotion codes to redeem. */
export type DiscountParams = { discount?: string; promotion_code?: string }[]

/**
 * Returns the id of a promotion code that a change must apply; `undefined` if the code already applies. A percentage applies to the line. A
 * fixed amount applies once to the subscription or to one of its pending invoice items (ADD-11).
 */
export function findUnapplied(
  promotion: UsablePromotion | undefined,
  line: Discounts,
  current: Stripe.Subscription,
  { invoiceItems }: LoadedCustomer,
): string | undefined {
  if (promotion === undefined) return undefined
  const places = [current, ...invoiceItems.filter((item) => isPendingFor(item, current))]
  const lists = isPercentage(promotion) ? [line] : places.map(({ discounts }) => discounts)
  return lists.some((discounts) => hasPromotion(discounts, promotion.id)) ? undefined : promotion.id
}

/** Whether a promotion code is a percentage. */
export function isPercentage(promotion: UsablePromotion | undefined): boolean {
  return promotion?.terms.kind === 'percentage'
}

/**
 * Returns the marks of the unbilled adds and swaps that used a promotion code. A code that the merchant applied has no mark, so no undo
 * removes it.
 */
export function usesOf(
  promotion: string | undefined,
  current: Stripe.Subscription,
  { invoiceItems, marks }: LoadedCustomer,
): readonly FoundMark[] {
  if (promotion === undefined) return []
  const pending = new Set(invoiceItems.filter((item) => isPendingFor(item, current)).map(({ id }) => id))
  return marks
    .filter((mark) => mark.promotion?.split(' ').includes(promotion) && mark.closed !== true)
    .filter((mark) => pending.has(mark.holder) || isUnbilled(mark, current))
}

/** Whether a subscription holds a mark of its current period, so that Stripe has not billed the change. */
export function isUnbilled({ holder, due = 0 }: FoundMark, { id, items }: Stripe.Subscription): boolean {
  return holder === id && items.data.every(({ current_period_start }) => current_period_start < due)
}

function isPendingFor(item: Stripe.InvoiceItem, { id }: Stripe.Subscription): boolean {
  return pendingProduct(item) !== undefined && subscriptionOf(item) === id
}

/**
 * Returns the kept discounts and the added promotion codes: `''` if no discount remains, and `undefined` if nothing
 * changes.
 */
export function changeDiscounts(
  discounts: Discounts,
  isKept: (discount: DiscountReference) => boolean,
  promotions: readonly (string | undefined)[] = [],
): DiscountParams | '' | undefined {
  const present = discounts ?? []
  const kept = present.filter(isKept)
  const added = promotions.flatMap((promotion_code) =>
    promotion_code === undefined || hasPromotion(kept, promotion_code) ? [] : [{ promotion_code }],
  )
  if (kept.length === present.length && added.length === 0) return undefined
  return kept.length + added.length === 0 ? '' : [...kept.map((discount) => ({ discount: idOf(discount) })), ...added]
}

/** Returns the discounts with promotion codes added; `undefined` if all codes are already included. */
export function withPromotions(discounts: Discounts, ...promotions: readonly (string | undefined)[]) {
  return changeDiscounts(discounts, () => true, promotions)
}

/** Returns the discounts without a promotion code: `''` if no discount remains, and `undefined` if nothing changes. */
export function withoutPromotion(discounts: Discounts, promotion: string) {
  return changeDiscounts(discounts, (discount) => promotionOf(discount) !== promotion)
}

/** Returns the fixed-amount promotion codes of an invoice item. */
export function fixedPromotions({ discounts }: Stripe.InvoiceItem): readonly string[] {
  return (discounts ?? []).filter(isFixedAmount).flatMap((discount) => promotionOf(discount) ?? [])
}

/**
 * Returns the fixed-amount codes of an invoice item that can be moved to a subscription. Stripe rejects a code that has expired. A code
 * for several invoices is not moved, because it would reduce all later orders.
 */
export function findMovable({ discounts }: Stripe.InvoiceItem, { now }: Settings): readonly string[] {
  return (discounts ?? []).filter(isFixedAmount).flatMap((discount) => {
    const promotion = typeof discount === 'string' ? null : discount.promotion_code
    if (promotion === null || typeof promotion !== 'object' || couponOf(discount)?.duration !== 'once') return []
    return isUsable(promotion, now() / 1000) ? promotion.id : []
  })
}

/** Whether a discount is a fixed amount. Only the discounts of invoice items are loaded with their coupons. */
export function isFixedAmount(discount: DiscountReference): boolean {
  return typeof couponOf(discount)?.amount_off === 'number'
}

function couponOf(discount: DiscountReference): Stripe.Coupon | undefined {
  const coupon = typeof discount === 'string' ? null : discount.source.coupon
  return coupon !== null && typeof coupon === 'object' ? coupon : undefined
}

/** Whether the discounts include a promotion code. */
export function hasPromotion(discounts: Discounts, promotion: string): boolean {
  return (discounts ?? []).some((discount) => promotionOf(discount) === promotion)
}

/** Returns the id of the promotion code that created a discount; `undefined` for a coupon. */
export function promotionOf(discount: DiscountReference): string | undefined {
  if (typeof discount === 'string' || discount.promotion_code === null) return undefined
  return idOf(discount.promotion_code)
}
