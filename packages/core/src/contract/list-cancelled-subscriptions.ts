import { CancelledSubscriptionList, CustomerInput } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

export const listCancelledSubscriptions = {
  method: 'GET',
  path: '/reactivate/cancelled-subscriptions',
  widget: 'reactivate',
  summary: 'List the cancelled subscriptions that can be reactivated.',
  input: CustomerInput,
  output: CancelledSubscriptionList,
  errors: ['customer_not_found'],
} as const satisfies Endpoint
