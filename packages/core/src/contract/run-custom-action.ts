import * as z from 'zod/mini'
import { Email, Id, Nothing } from './schemas.ts'
import type { Endpoint } from './endpoint.ts'

/** Request body of runCustomAction (ACTION-1). */
export const RunCustomActionInput = z.object({ email: Email, action_id: Id })
export type RunCustomActionInput = z.infer<typeof RunCustomActionInput>

export const runCustomAction = {
  method: 'POST',
  path: '/custom-action',
  widget: 'customAction',
  summary: "Run the merchant's own action behind a custom button.",
  input: RunCustomActionInput,
  output: Nothing,
  retryWindowMs: 10_000,
  errors: ['customer_not_found', 'action_not_found', 'action_not_allowed'],
} as const satisfies Endpoint
