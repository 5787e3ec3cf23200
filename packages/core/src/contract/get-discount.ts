import * as z from 'zod/mini'
import { Discount, DiscountCode } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Query parameters of getDiscount (DISCOUNT-1). */
export const GetDiscountInput = z.object({ discount_code: DiscountCode })
export type GetDiscountInput = z.infer<typeof GetDiscountInput>

export const getDiscount = {
  method: 'GET',
  path: '/discounts/get-discount',
  widget: 'discounts',
  summary: 'Return the value of a discount code.',
  input: GetDiscountInput,
  output: Discount,
  absent: 'discount_not_found',
  aliases: { discount_code: ['code'] },
  errors: ['discount_not_found'],
} as const satisfies Endpoint
