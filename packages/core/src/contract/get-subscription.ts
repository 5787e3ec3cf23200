import { CurrentSubscription, CustomerInput } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

export const getSubscription = {
  method: 'GET',
  path: '/customer-portal/subscription',
  widget: 'portal',
  summary: 'Return the active subscription with the earliest billing date.',
  input: CustomerInput,
  output: CurrentSubscription,
  absent: 'subscription_not_found',
  errors: ['customer_not_found', 'subscription_not_found'],
} as const satisfies Endpoint
