import type { Stripe } from 'stripe'
import { listPage, matches } from '../list-page.ts'
import { createResource, findResource, save, type StripeAccount } from '../stripe-account.ts'
import type { Handlers } from '../stripe-requests.ts'

/** Coupons (docs.stripe.com/api/coupons) and promotion codes (docs.stripe.com/api/promotion_codes). */
export const couponHandlers = {
  'POST /v1/coupons': createCoupon,
  'DELETE /v1/coupons/{id}': (account, _, id) => {
    const { id: found } = findResource(account.coupons, 'coupon', id)
    account.coupons.delete(found)
    return { id: found, object: 'coupon', deleted: true }
  },
  'GET /v1/promotion_codes': (account, params) =>
    // Codes are case-insensitive (docs.stripe.com/api/promotion_codes/object#promotion_code_object-code).
    listPage('/v1/promotion_codes', account.promotion_codes, params, ({ active, code }) =>
      matches({ ...params, code: params.code?.toLowerCase() }, { active, code: code.toLowerCase() }),
    ),
  'POST /v1/promotion_codes': (account, params) => {
    const coupon = params.promotion.coupon ?? ''
    findResource(account.coupons, 'coupon', coupon, 'promotion[coupon]')
    const { restrictions = {} } = params
    const { first_time_transaction = false, minimum_amount = null, minimum_amount_currency = null } = restrictions
    const promotion = createResource<Stripe.PromotionCode>({
      object: 'promotion_code',
      id: account.createId('promo'),
      active: true,
      code: params.code ?? account.createId('CODE'),
      created: account.now(),
      customer: null,
      customer_account: null,
      expires_at: null,
      max_redemptions: null,
      promotion: { coupon, type: 'coupon' },
      restrictions: { first_time_transaction, minimum_amount, minimum_amount_currency },
      times_redeemed: 0,
    })
    return save(account.promotion_codes, promotion)
  },
  'POST /v1/promotion_codes/{id}': (account, params, id) => {
    const before = findResource(account.promotion_codes, 'promotion code', id)
    return save(account.promotion_codes, { ...before, active: params.active ?? before.active })
  },
} satisfies Partial<Handlers>

function createCoupon(account: StripeAccount, params: Stripe.CouponCreateParams): Stripe.Coupon {
  const { amount_off = null, percent_off = null, currency = null, duration = 'once' } = params
  const coupon = createResource<Stripe.Coupon>({
    object: 'coupon',
    id: params.id ?? account.createId('coupon'),
    amount_off,
    created: account.now(),
    currency,
    duration,
    name: params.name ?? null,
    percent_off,
    valid: true,
    ...(params.applies_to?.products && { applies_to: { products: params.applies_to.products } }),
    ...(params.currency_options && { currency_options: params.currency_options }),
  })
  return save(account.coupons, coupon)
}
