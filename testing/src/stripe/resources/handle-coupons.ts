import type { Stripe } from 'stripe'
import { createResource } from '../create-resource.ts'
import { listPage, matches } from '../list-page.ts'
import { findResource, save, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest, createUnsupported } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Coupons (docs.stripe.com/api/coupons) and promotion codes (docs.stripe.com/api/promotion_codes). */
export const couponHandlers = {
  'POST /v1/coupons': createCoupon,
  'GET /v1/promotion_codes': (account, params) =>
    listPage(
      '/v1/promotion_codes',
      account.promotion_codes,
      params,
      ({ active, code }) => matches(params, { active }) && (params.code === undefined || isSameCode(code, params.code)),
    ),
  'POST /v1/promotion_codes': createPromotionCode,
  'POST /v1/promotion_codes/{id}': (account, params, id) => {
    const before = findResource(account.promotion_codes, 'promotion code', id)
    return save(account.promotion_codes, { ...before, active: params.active ?? before.active })
  },
} satisfies Partial<Handlers>

/** Compares codes case-insensitively (docs.stripe.com/api/promotion_codes/object#promotion_code_object-code). */
function isSameCode(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function createCoupon(account: StripeAccount, params: Stripe.CouponCreateParams): Stripe.Coupon {
  const { amount_off = null, percent_off = null, currency = null, duration = 'once' } = params
  if ((amount_off === null) === (percent_off === null))
    throw createInvalidRequest('Must provide exactly one of percent_off or amount_off.', 'percent_off')
  if (amount_off !== null && currency === null)
    throw createInvalidRequest('Must provide a currency with amount_off.', 'currency')
  if (duration === 'repeating') throw createUnsupported('duration=repeating')
  const id = params.id ?? account.createId('coupon')
  if (account.coupons.has(id)) throw createInvalidRequest('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon = createResource('Coupon', {
    id,
    amount_off,
    created: account.now(),
    currency,
    duration,
    name: params.name ?? null,
    percent_off,
    times_redeemed: 0,
    valid: true,
  })
  return save(account.coupons, coupon)
}

function createPromotionCode(account: StripeAccount, params: Stripe.PromotionCodeCreateParams): Stripe.PromotionCode {
  const coupon = params.promotion.coupon ?? ''
  findResource(account.coupons, 'coupon', coupon, 'promotion[coupon]')
  const code = params.code ?? account.createId('CODE')
  // Codes must be unique among active promotion codes (docs.stripe.com/api/promotion_codes/create).
  if ([...account.promotion_codes.values()].some((each) => each.active && isSameCode(each.code, code)))
    throw createInvalidRequest(
      'An active promotion code with this code already exists.',
      'code',
      'resource_already_exists',
    )
  const promotion = createResource('PromotionCode', {
    id: account.createId('promo'),
    active: true,
    code,
    created: account.now(),
    promotion: { coupon, type: 'coupon' },
    times_redeemed: 0,
  })
  return save(account.promotion_codes, promotion)
}
