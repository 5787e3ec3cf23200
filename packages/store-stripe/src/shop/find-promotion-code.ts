import { codeKey, type DiscountTerms } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { idOf } from '../account/to-account.ts'
import type { Session } from '../stripe/session.ts'

/** A valid promotion code and its terms. */
export interface UsablePromotion {
  /** Id of the promotion code. */
  readonly id: string
  /** Discount terms in the format that `@storeport/rules` uses. */
  readonly terms: DiscountTerms
}

/** Finds a usable promotion code, ignoring letter case. A code with restrictions that the store cannot check is not usable. */
export async function findPromotionCode(
  { stripe, stripeCurrency, now, read }: Session,
  code: string | undefined,
  customers: readonly Stripe.Customer[] = [],
): Promise<UsablePromotion | undefined> {
  if (code === undefined) return undefined
  const wanted = codeKey(code)
  const { data } = await read((options) =>
    stripe.promotionCodes.list({ code: code.trim(), active: true, limit: 100, expand: couponDetails }, options),
  )
  const usable = data
    .filter((promotion) => codeKey(promotion.code) === wanted && isUsable(promotion, now() / 1000))
    .filter(({ customer }) => customer === null || customers.some(({ id }) => id === idOf(customer)))
    .filter(({ customer_account }) => customer_account === null)
    .flatMap((promotion) => toUsable(promotion, stripeCurrency))
  return usable[0]
}

/** Fields of a promotion code to expand. */
export const couponDetails = ['data.promotion.coupon.applies_to', 'data.promotion.coupon.currency_options']

/** Whether a promotion code can be redeemed. */
function isUsable({ active, expires_at, max_redemptions, times_redeemed }: Stripe.PromotionCode, now: number): boolean {
  if (!active || (expires_at !== null && expires_at <= now)) return false
  return max_redemptions === null || times_redeemed < max_redemptions
}

function toUsable(
  { id, code, promotion: { coupon }, restrictions }: Stripe.PromotionCode,
  currency: string,
): UsablePromotion[] {
  if (coupon === null || typeof coupon === 'string' || !coupon.valid) return []
  // The store cannot check these conditions before Stripe bills the order.
  if (restrictions.first_time_transaction || restrictions.minimum_amount !== null || coupon.applies_to) return []
  const { percent_off } = coupon
  const amount_off = coupon.currency === currency ? coupon.amount_off : coupon.currency_options?.[currency]?.amount_off
  const limits = { code, expires_on: null, max_uses: null, uses: 0 }
  if (percent_off !== null) return [{ id, terms: { ...limits, kind: 'percentage', percentage: percent_off } }]
  if (amount_off === null || amount_off === undefined) return []
  return [{ id, terms: { ...limits, kind: 'fixed_amount', amount_minor: amount_off } }]
}
