import * as z from 'zod/mini'
import { DiscountCode, Email, Flag, Id, Nothing, Quantity } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of addProduct (ADD-1). */
export const AddProductInput = z.object({
  email: Email,
  product_id: Id,
  quantity: z._default(Quantity, 1),
  discount_code: z.optional(DiscountCode),
  one_time: z._default(Flag, false),
})
export type AddProductInput = z.infer<typeof AddProductInput>

export const addProduct = {
  method: 'POST',
  path: '/upsells/add-product',
  widget: 'upsells',
  summary: 'Add a product to the subscription or to the next order.',
  input: AddProductInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: [
    'customer_not_found',
    'product_not_found',
    'product_unavailable',
    'subscription_not_found',
    'invalid_discount_code',
    'payment_failed',
  ],
} as const satisfies Endpoint
