import { type Discount, type GetDiscountInput, StoreError } from '@storeport/core'
import { findUsable } from '../account/discounts.ts'
import type { EveryField } from '../shop/every-field.ts'
import { type Shop, toMajor } from '../shop/shop.ts'
import { defineRule } from './define-rule.ts'

/**
 * Returns the value of a discount code. Throws `discount_not_found` if the code does not exist, has expired or is used
 * up (DISCOUNT-1, DISCOUNT-4).
 */
export const getDiscount = defineRule({
  uses: [],
  subscriptions: [],
  customer: 'none',
  names: ({ discount_code }) => ({ discount_code }),
  apply: readDiscount,
})

function readDiscount(_account: unknown, input: GetDiscountInput, shop: Shop): Discount {
  const terms = findUsable(input.discount_code, shop)
  if (terms === undefined) throw new StoreError('discount_not_found')
  if (terms.kind === 'percentage') {
    return { discount_type: 'percentage', discount_percentage: terms.percentage } satisfies Worth<'percentage'>
  }
  return {
    discount_type: 'fixed_amount',
    discount_amount: toMajor(terms.amount_minor, shop.currency_digits),
  } satisfies Worth<'fixed_amount'>
}

type Worth<Type extends Discount['discount_type']> = EveryField<Extract<Discount, { discount_type: Type }>>
