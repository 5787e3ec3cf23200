import type { Stripe } from 'stripe'
import { change, type Handlers, list } from '../handler.ts'
import { findResource, save } from '../stripe-account.ts'

/** Coupons (docs.stripe.com/api/coupons) and promotion codes (docs.stripe.com/api/promotion_codes). */
export const couponHandlers: Handlers = {
  'POST /v1/coupons': {
    supported: 'amount_off applies_to.products currency currency_options.eur.amount_off duration name percent_off',
    run: (account, params: Stripe.CouponCreateParams) => {
      const { amount_off = null, percent_off = null, currency = null, duration = 'once', name = null } = params
      const { applies_to: { products } = {}, currency_options } = params
      return save(account.coupons, {
        object: 'coupon',
        id: account.createId('coupon'),
        created: account.now(),
        ...{ amount_off, currency, duration, name, percent_off, valid: true },
        ...(products && { applies_to: { products } }),
        ...(currency_options && { currency_options }),
      })
    },
  },
  'DELETE /v1/coupons/{id}': {
    supported: '',
    run: (account, _, id) => {
      findResource(account.coupons, 'coupon', id)
      account.coupons.delete(id)
      return { id, object: 'coupon', deleted: true }
    },
  },
  'GET /v1/promotion_codes': list(
    '/v1/promotion_codes',
    ({ promotion_codes }) => promotion_codes,
    'active',
    'code',
    // Codes are case-insensitive (docs.stripe.com/api/promotion_codes/object#promotion_code_object-code).
    ({ code }, { code: wanted = code }: Stripe.PromotionCodeListParams) => code.toLowerCase() === wanted.toLowerCase(),
  ),
  'POST /v1/promotion_codes': {
    supported:
      'code promotion.coupon promotion.type restrictions.first_time_transaction restrictions.minimum_amount restrictions.minimum_amount_currency',
    run: (account, params: Stripe.PromotionCodeCreateParams) => {
      const { coupon = '' } = params.promotion
      findResource(account.coupons, 'coupon', coupon, 'promotion[coupon]')
      const { restrictions = {} } = params
      const { first_time_transaction = false, minimum_amount = null, minimum_amount_currency = null } = restrictions
      return save(account.promotion_codes, {
        object: 'promotion_code',
        id: account.createId('promo'),
        active: true,
        code: params.code ?? account.createId('CODE'),
        created: account.now(),
        ...{ customer: null, customer_account: null, expires_at: null, max_redemptions: null },
        promotion: { coupon, type: 'coupon' },
        restrictions: { first_time_transaction, minimum_amount, minimum_amount_currency },
        times_redeemed: 0,
      })
    },
  },
  'POST /v1/promotion_codes/{id}': change(({ promotion_codes }) => promotion_codes, 'promotion code', 'active'),
}
