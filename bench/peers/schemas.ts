import { endpoints } from '@storeport/core'
import * as z from 'zod/mini'
import { Refusal } from '../by-hand/refusal.ts'

/** Query of GET subscription: the schema of the contract, for the peers that have none of their own. */
export const CustomerQuery = endpoints.getSubscription.input

/** Body of POST delay. */
export const DelayBody = endpoints.delaySubscription.input

/** Answer to GET subscription. */
export const SubscriptionAnswer = z.object({ success: z.literal(true), data: endpoints.getSubscription.output })

/** Answer to POST delay. */
export const Done = z.object({ success: z.literal(true) })

/** What a schema makes of an input; throws Refusal `invalid_request`. */
export function checkedInput<Output>(schema: z.core.$ZodType<Output>, value: unknown): Output {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new Refusal('invalid_request')
}

/** What a schema makes of an answer; throws Refusal `invalid_store_response`. */
export function checkedAnswer<Output>(schema: z.core.$ZodType<Output>, value: unknown): Output {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new Refusal('invalid_store_response')
}
