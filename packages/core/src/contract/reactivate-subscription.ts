import * as z from 'zod/mini'
import { DiscountCode, Email, Id, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of reactivateSubscription (REACTIVATE-1). */
export const ReactivateSubscriptionInput = z.object({
  email: Email,
  subscription_id: Id,
  discount_code: z.optional(DiscountCode),
})
export type ReactivateSubscriptionInput = z.infer<typeof ReactivateSubscriptionInput>

export const reactivateSubscription = {
  method: 'POST',
  path: '/reactivate/subscription',
  widget: 'reactivate',
  summary: 'Make a cancelled subscription active again.',
  input: ReactivateSubscriptionInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: [
    'customer_not_found',
    'subscription_not_found',
    'subscription_not_cancelled',
    'subscription_not_eligible',
    'invalid_discount_code',
    'payment_failed',
  ],
} as const satisfies Endpoint
