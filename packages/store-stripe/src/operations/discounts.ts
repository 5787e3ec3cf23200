import type { Stripe } from 'stripe'
import { idOf } from '../account/to-account.ts'

/** Discounts as Stripe gives them. */
export type Discounts = readonly (string | Stripe.Discount)[] | null

/** Discounts as Stripe takes them: the ones that stay, by their ids, and promotion codes to redeem. */
export type DiscountParams = { discount?: string; promotion_code?: string }[]

/** The discounts with a promotion code; `undefined` when it is among them, so that it counts once. */
export function withPromotion(discounts: Discounts, promotion: string): DiscountParams | undefined {
  if (hasPromotion(discounts, promotion)) return undefined
  return [...keep(discounts ?? []), { promotion_code: promotion }]
}

/** The discounts without a promotion code, empty for none at all as Stripe wants it; `undefined` when it is not among them. */
export function withoutPromotion(discounts: Discounts, promotion: string | undefined): DiscountParams | '' | undefined {
  return leave(discounts, (other) => other === promotion)
}

/** The discounts without any promotion code. */
export function withoutPromotions(discounts: Discounts): DiscountParams | '' | undefined {
  return leave(discounts, () => true)
}

/** The discounts with one promotion code in place of all that there are; the merchant's own stay. */
export function replacePromotions(discounts: Discounts, promotion: string): DiscountParams {
  const own = (discounts ?? []).filter((discount) => promotionOf(discount) === undefined)
  return [...keep(own), { promotion_code: promotion }]
}

/** Whether a promotion code is among discounts. */
export function hasPromotion(discounts: Discounts, promotion: string): boolean {
  return (discounts ?? []).some((discount) => promotionOf(discount) === promotion)
}

function leave(discounts: Discounts, isLeft: (promotion: string) => boolean): DiscountParams | '' | undefined {
  const present = discounts ?? []
  const kept = present.filter((discount) => {
    const promotion = promotionOf(discount)
    return promotion === undefined || !isLeft(promotion)
  })
  if (kept.length === present.length) return undefined
  return kept.length === 0 ? '' : keep(kept)
}

function keep(discounts: readonly (string | Stripe.Discount)[]): DiscountParams {
  return discounts.map((discount) => ({ discount: idOf(discount) }))
}

function promotionOf(discount: string | Stripe.Discount): string | undefined {
  if (typeof discount === 'string' || discount.promotion_code === null) return undefined
  return idOf(discount.promotion_code)
}
