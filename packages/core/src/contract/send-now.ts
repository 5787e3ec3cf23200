import { CustomerInput, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

export const sendNow = {
  method: 'POST',
  path: '/customer-portal/send-now',
  widget: 'portal',
  button: { name: 'sendNowButton', label: 'Send Now' },
  summary: 'Process and ship the next order now.',
  input: CustomerInput,
  output: Nothing,
  // Longest window of all endpoints. A second shipment is expensive, and customers may click again minutes later.
  retryWindowMs: 600_000,
  errors: [
    'customer_not_found',
    'subscription_not_found',
    'order_already_processing',
    'order_not_processable',
    'payment_failed',
  ],
} as const satisfies Endpoint
