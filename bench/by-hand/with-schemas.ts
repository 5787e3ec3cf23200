import { type CurrentSubscription, endpoints } from '@storeport/core'
import * as z from 'zod/mini'
import { ApiError, delaySubscription, idempotencyKeyOf, loadSubscription } from './contract.ts'

/* Handles the two endpoints with StorePort's zod schemas, for frameworks without built-in validation. */

/** Returns the JSON response body of GET subscription; throws ApiError. */
export async function getSubscription(query: unknown, requestId: string): Promise<string> {
  const { email } = parse(endpoints.getSubscription.input, query, 'invalid_request')
  const data = roundMoney(await loadSubscription(email, requestId))
  const output = parse(endpoints.getSubscription.output, data, 'invalid_store_response')
  return JSON.stringify({ success: true, data: output })
}

/** Returns the JSON response body of POST delay; throws ApiError. */
export async function postDelay(body: unknown, requestId: string, key: string | undefined): Promise<string> {
  await delaySubscription(
    parse(endpoints.delaySubscription.input, body, 'invalid_request'),
    requestId,
    idempotencyKeyOf(key),
  )
  return JSON.stringify({ success: true })
}

/** Rounds the amounts in a subscription to two decimals, because a schema cannot round numbers. */
export function roundMoney(subscription: CurrentSubscription): CurrentSubscription {
  const { shipping_total_cost, order_discount_total } = subscription
  return {
    ...subscription,
    items: subscription.items.map((item) => ({ ...item, price: rounded(item.price) })),
    ...(shipping_total_cost !== undefined && { shipping_total_cost: rounded(shipping_total_cost) }),
    ...(order_discount_total !== undefined && { order_discount_total: rounded(order_discount_total) }),
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100
}

function parse<Output>(schema: z.core.$ZodType<Output>, value: unknown, code: string): Output {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new ApiError(code)
}
