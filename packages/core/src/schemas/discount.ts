import * as z from 'zod/mini'
import { PositiveMoney } from './fields.ts'

/** Data of getDiscount: a percentage (15 means 15 %) or a fixed amount, never both (DISCOUNT-1). */
export const Discount = z.discriminatedUnion('discount_type', [
  z.object({
    discount_type: z.literal('percentage'),
    discount_percentage: z.number().check(z.gt(0, 'must be more than 0'), z.lte(100, 'must be at most 100')),
  }),
  z.object({
    discount_type: z.literal('fixed_amount'),
    discount_amount: PositiveMoney,
  }),
])
/** Data of getDiscount: a percentage (15 means 15 %) or a fixed amount, never both (DISCOUNT-1). */
export type Discount = z.infer<typeof Discount>
