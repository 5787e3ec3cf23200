import * as z from 'zod/mini'
import { DiscountCode, Email, Id, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of swapProduct (SWAP-1). */
export const SwapProductInput = z.object({
  email: Email,
  current_item_id: Id,
  new_product_id: Id,
  discount_code: z.optional(DiscountCode),
})
export type SwapProductInput = z.infer<typeof SwapProductInput>

export const swapProduct = {
  method: 'POST',
  path: '/customer-portal/swap-product',
  widget: 'portal',
  button: { name: 'swapButton', label: 'Swap', needs: ['listProducts'] },
  summary: 'Replace an item of the current subscription with another product.',
  input: SwapProductInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: [
    'customer_not_found',
    'subscription_not_found',
    'item_not_found',
    'product_not_found',
    'product_unavailable',
    'invalid_discount_code',
  ],
} as const satisfies Endpoint
