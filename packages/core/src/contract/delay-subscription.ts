import * as z from 'zod/mini'
import { DateString, Email, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of delaySubscription (DELAY-1). */
export const DelaySubscriptionInput = z.object({ email: Email, new_date: DateString })
export type DelaySubscriptionInput = z.infer<typeof DelaySubscriptionInput>

export const delaySubscription = {
  method: 'POST',
  path: '/customer-portal/delay',
  widget: 'portal',
  button: { name: 'delayButton', label: 'Delay Subscription' },
  summary: 'Postpone the next billing and shipment.',
  input: DelaySubscriptionInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: ['customer_not_found', 'subscription_not_found', 'invalid_date'],
} as const satisfies Endpoint
