import type { Answer, Call } from '@storeport/core'
import { withinTime } from './ask-store.ts'
import { isAcceptedKey } from './check-api-key.ts'
import { type ClickByHand, clickOfAdd } from './click.ts'
import { maxBodyBytes } from './read-body.ts'
import { addInput, type AddInput, requireJson } from './read-input.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { answerHeaders, refuseTestMode, requestIdOf } from './request-headers.ts'

/** Adds a product in one transaction with its click, or leaves everything as it is for a repeat. */
export type AddByHand = (input: AddInput, click: ClickByHand) => void | Promise<void>

/** The limit of a click: POST add-product by hand, from plain call to answer, with every check that StorePort makes. */
export function answerAddByHand(add: AddByHand): (call: Call) => Promise<Answer> {
  return async (call) => {
    const requestId = requestIdOf(call.header('x-request-id'))
    try {
      if (!isAcceptedKey(call.header('x-integration-api-key') ?? '')) throw new Refusal('unauthorized')
      if (call.path !== '/integration/upsells/add-product') throw new Refusal('endpoint_not_found')
      if (call.method !== 'POST') throw new Refusal('method_not_allowed')
      refuseTestMode(call.header('x-integration-test-mode'), call.query)
      requireJson(call.header('content-type'))
      const input = addInput(await call.text(maxBodyBytes))
      if (call.header('idempotency-key')) throw new Refusal('internal_error', 'named clicks are not written by hand')
      const click = clickOfAdd(input)
      await withinTime(async () => add(input, click))
      return { status: 200, headers: answerHeaders(requestId), body: '{"success":true}' }
    } catch (error) {
      return { ...refusalOf(error), headers: answerHeaders(requestId) }
    }
  }
}
