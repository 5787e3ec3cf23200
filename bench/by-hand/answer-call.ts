import type { Answer, Call } from '@storeport/core'
import { isAcceptedKey } from './check-api-key.ts'
import { delaySubscription, getSubscription } from './endpoints.ts'
import { maxBodyBytes } from './read-body.ts'
import { requireJson } from './read-input.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { answerHeaders, idempotencyKeyOf, refuseTestMode, requestIdOf } from './request-headers.ts'

/** The two endpoints by hand from plain call to plain answer: what they cost without a server around them. */
export async function answerCallByHand(call: Call): Promise<Answer> {
  const requestId = requestIdOf(call.header('x-request-id'))
  try {
    return { status: 200, headers: answerHeaders(requestId), body: await bodyFor(call, requestId) }
  } catch (error) {
    return { headers: answerHeaders(requestId), ...refusalOf(error) }
  }
}

async function bodyFor(call: Call, requestId: string): Promise<string> {
  const { method, path, query } = call
  if (!isAcceptedKey(call.header('x-integration-api-key') ?? '')) throw new Refusal('unauthorized')
  switch (path) {
    case '/integration/customer-portal/subscription':
      if (method !== 'GET' && method !== 'HEAD') throw new Refusal('method_not_allowed')
      refuseTestMode(call.header('x-integration-test-mode'), query)
      return getSubscription(query, requestId)
    case '/integration/customer-portal/delay':
      if (method !== 'POST') throw new Refusal('method_not_allowed')
      refuseTestMode(call.header('x-integration-test-mode'), query)
      requireJson(call.header('content-type'))
      return delaySubscription(
        await call.text(maxBodyBytes),
        requestId,
        idempotencyKeyOf(call.header('idempotency-key')),
      )
    default:
      throw new Refusal('endpoint_not_found')
  }
}
