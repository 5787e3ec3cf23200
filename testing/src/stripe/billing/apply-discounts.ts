import type { Stripe } from 'stripe'
import { createResource, findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'

/** An entry in the parameter `discounts`. */
export type DiscountParam = Stripe.SubscriptionUpdateParams.Discount

/**
 * Redeems coupons and promotion codes, and returns the ids of the resulting discounts. "A populated array overwrites
 * the existing discounts. If not specified or empty array, it leaves them unchanged. If empty string, it clears them"
 * (docs.stripe.com/api/subscriptions/update). Throws if a coupon or a code is invalid.
 */
export function applyDiscounts(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'customer' | 'discounts' | 'id'>,
  sent: Stripe.Emptyable<DiscountParam[]> | undefined,
): string[] {
  const before = subscription.discounts.map(idOf)
  if (sent === undefined) return before
  if (sent === null || sent === '') return []
  if (sent.length === 0) return before
  return sent.map((param, index) => {
    const place = (name: string) => `discounts[${index}][${name}]`
    if (param.discount !== undefined)
      return findResource(account.discounts, 'discount', param.discount, place('discount')).id
    if (param.promotion_code === undefined)
      return redeemCoupon(account, subscription, param.coupon ?? '', null, place('coupon')).id
    const code = redeemCode(account, param.promotion_code, place('promotion_code'))
    return redeemCoupon(account, subscription, idOf(code.promotion.coupon ?? ''), code.id, place('promotion_code')).id
  })
}

/** Returns the amount of each discount. A discount applies to the amount that remains after previous discounts. */
export function sumDiscounts(
  account: StripeAccount,
  discounts: readonly string[],
  amount: number,
): { readonly amount: number; readonly discount: string }[] {
  let left = Math.max(0, amount)
  return discounts.flatMap((id) => {
    const discount = findResource(account.discounts, 'discount', id)
    const coupon = findResource(account.coupons, 'coupon', idOf(discount.source.coupon ?? ''))
    const off = Math.min(left, coupon.amount_off ?? Math.round((left * (coupon.percent_off ?? 0)) / 100))
    left -= off
    return off === 0 ? [] : [{ amount: off, discount: id }]
  })
}

/**
 * Returns the discounts that remain after an invoice. A `once` coupon ends with its first invoice
 * (docs.stripe.com/api/coupons/object#coupon_object-duration).
 */
export function keepDiscounts(account: StripeAccount, discounts: readonly string[], used: readonly string[]): string[] {
  return discounts.filter((id) => {
    const { source } = findResource(account.discounts, 'discount', id)
    const { duration } = findResource(account.coupons, 'coupon', idOf(source.coupon ?? ''))
    return duration !== 'once' || !used.includes(id)
  })
}

function redeemCode(account: StripeAccount, id: string, param: string): Stripe.PromotionCode {
  const code = findResource(account.promotion_codes, 'promotion code', id, param)
  if (!code.active) throw createInvalidRequest('This promotion code is not active.', param, 'coupon_expired')
  const redeemed = { ...code, times_redeemed: code.times_redeemed + 1 }
  account.promotion_codes.set(id, redeemed)
  return redeemed
}

function redeemCoupon(
  account: StripeAccount,
  subscription: Pick<Stripe.Subscription, 'customer' | 'id'>,
  id: string,
  promotion_code: string | null,
  param: string,
): Stripe.Discount {
  const coupon = findResource(account.coupons, 'coupon', id, param)
  // See docs.stripe.com/error-codes#coupon-expired.
  if (!coupon.valid) throw createInvalidRequest(`Coupon expired: ${id}`, 'coupon', 'coupon_expired')
  const discount = createResource<Stripe.Discount>({
    object: 'discount',
    id: account.createId('di'),
    customer: idOf(subscription.customer),
    promotion_code,
    source: { coupon: id, type: 'coupon' },
    start: account.now(),
    subscription: subscription.id,
  })
  account.discounts.set(discount.id, discount)
  return discount
}
