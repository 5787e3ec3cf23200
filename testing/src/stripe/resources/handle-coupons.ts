import type { Stripe } from 'stripe'
import { changeMetadata } from '../change-metadata.ts'
import { isInRange, listPage, newestFirst } from '../list-page.ts'
import { findResource, idOf, type StripeAccount } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-handlers.ts'

/** Coupons (docs.stripe.com/api/coupons) and the codes that customers type (docs.stripe.com/api/promotion_codes). */
export const couponHandlers = {
  'GET /v1/coupons/{id}': (account, _, id) => findResource(account.coupons, 'coupon', id),
  'POST /v1/coupons': createCoupon,
  'GET /v1/promotion_codes': (account, params) =>
    listPage(
      '/v1/promotion_codes',
      newestFirst(account.promotion_codes).filter(
        (promotion) =>
          (params.active === undefined || promotion.active === params.active) &&
          // Codes do not tell upper from lower case (docs.stripe.com/api/promotion_codes/object#promotion_code_object-code).
          (params.code === undefined || promotion.code.toLowerCase() === params.code.toLowerCase()) &&
          (params.coupon === undefined || idOf(promotion.promotion.coupon ?? '') === params.coupon) &&
          (params.customer === undefined || promotion.customer === params.customer) &&
          isInRange(promotion.created, params.created),
      ),
      params,
    ),
  'GET /v1/promotion_codes/{id}': (account, _, id) => findResource(account.promotion_codes, 'promotion code', id),
  'POST /v1/promotion_codes': createPromotionCode,
  'POST /v1/promotion_codes/{id}': (account, params, id) => {
    const before = findResource(account.promotion_codes, 'promotion code', id)
    const metadata = changeMetadata(before.metadata ?? {}, params.metadata)
    const after = { ...before, active: params.active ?? before.active, metadata }
    account.promotion_codes.set(id, after)
    return after
  },
} satisfies Partial<Handlers>

function createCoupon(account: StripeAccount, params: Stripe.CouponCreateParams): Stripe.Coupon {
  const { amount_off = null, percent_off = null, currency = null, duration = 'once' } = params
  if ((amount_off === null) === (percent_off === null))
    throw createInvalidRequest('Must provide exactly one of percent_off or amount_off.', 'percent_off')
  if (amount_off !== null && currency === null)
    throw createInvalidRequest('Must provide a currency with amount_off.', 'currency')
  if ((duration === 'repeating') !== (params.duration_in_months !== undefined))
    throw createInvalidRequest(
      'duration_in_months goes with a repeating coupon, and only with one.',
      'duration_in_months',
    )
  const id = params.id ?? account.createId('coupon')
  if (account.coupons.has(id)) throw createInvalidRequest('Coupon already exists.', 'id', 'resource_already_exists')
  const coupon: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off,
    created: account.now(),
    currency,
    duration,
    duration_in_months: params.duration_in_months ?? null,
    livemode: false,
    max_redemptions: params.max_redemptions ?? null,
    metadata: changeMetadata({}, params.metadata),
    name: params.name ?? null,
    percent_off,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  }
  account.coupons.set(id, coupon)
  return coupon
}

function createPromotionCode(account: StripeAccount, params: Stripe.PromotionCodeCreateParams): Stripe.PromotionCode {
  const coupon = params.promotion.coupon ?? ''
  findResource(account.coupons, 'coupon', coupon, 'promotion[coupon]')
  const code = params.code ?? account.createId('CODE')
  // Unique among the active ones of all customers (docs.stripe.com/api/promotion_codes/create).
  if (
    [...account.promotion_codes.values()].some((each) => each.active && each.code.toLowerCase() === code.toLowerCase())
  )
    throw createInvalidRequest(
      'An active promotion code with this code already exists.',
      'code',
      'resource_already_exists',
    )
  const promotion: Stripe.PromotionCode = {
    id: account.createId('promo'),
    object: 'promotion_code',
    active: params.active ?? true,
    code,
    created: account.now(),
    customer: params.customer ?? null,
    customer_account: null,
    expires_at: params.expires_at ?? null,
    livemode: false,
    max_redemptions: params.max_redemptions ?? null,
    metadata: changeMetadata({}, params.metadata),
    promotion: { coupon, type: 'coupon' },
    restrictions: {
      first_time_transaction: params.restrictions?.first_time_transaction ?? false,
      minimum_amount: params.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: params.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  }
  account.promotion_codes.set(promotion.id, promotion)
  return promotion
}
