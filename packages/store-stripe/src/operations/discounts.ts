import type { Stripe } from 'stripe'
import { idOf } from '../account/to-account.ts'

/** Discounts in a Stripe response. */
export type Discounts = readonly (string | Stripe.Discount)[] | null

/** Discounts in a Stripe request: ids of existing discounts, and promotion codes to redeem. */
export type DiscountParams = { discount?: string; promotion_code?: string }[]

/** Returns the discounts with a promotion code added; `undefined` if the code is already included. */
export function withPromotion(discounts: Discounts, promotion: string): DiscountParams | undefined {
  if (hasPromotion(discounts, promotion)) return undefined
  return [...toParams(discounts ?? []), { promotion_code: promotion }]
}

/** Returns the discounts without a promotion code: `''` if no discount remains, and `undefined` if nothing changes. */
export function withoutPromotion(discounts: Discounts, promotion: string | undefined): DiscountParams | '' | undefined {
  return removePromotions(discounts, (other) => other === promotion)
}

/** Returns the discounts without promotion codes: `''` if no discount remains, and `undefined` if nothing changes. */
export function withoutPromotions(discounts: Discounts): DiscountParams | '' | undefined {
  return removePromotions(discounts, () => true)
}

/** Replaces all promotion codes with the given promotion code. Discounts without a promotion code remain. */
export function replacePromotions(discounts: Discounts, promotion: string): DiscountParams {
  const own = (discounts ?? []).filter((discount) => promotionOf(discount) === undefined)
  return [...toParams(own), { promotion_code: promotion }]
}

/** Whether the discounts include a promotion code. */
export function hasPromotion(discounts: Discounts, promotion: string): boolean {
  return (discounts ?? []).some((discount) => promotionOf(discount) === promotion)
}

function removePromotions(
  discounts: Discounts,
  isRemoved: (promotion: string) => boolean,
): DiscountParams | '' | undefined {
  const present = discounts ?? []
  const remaining = present.filter((discount) => {
    const promotion = promotionOf(discount)
    return promotion === undefined || !isRemoved(promotion)
  })
  if (remaining.length === present.length) return undefined
  return remaining.length === 0 ? '' : toParams(remaining)
}

function toParams(discounts: readonly (string | Stripe.Discount)[]): DiscountParams {
  return discounts.map((discount) => ({ discount: idOf(discount) }))
}

function promotionOf(discount: string | Stripe.Discount): string | undefined {
  if (typeof discount === 'string' || discount.promotion_code === null) return undefined
  return idOf(discount.promotion_code)
}
