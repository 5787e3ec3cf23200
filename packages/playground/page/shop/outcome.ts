import { describeIssues, endpointRow, type EndpointName, Envelope } from '@storeport/core'
import * as z from 'zod/mini'
import type { Exchange } from '../../src/protocol.ts'
import { texts } from '../texts/texts.ts'

/** Why a request to the shop failed. */
export interface Failure {
  /** Error code of the API, or one of `host_offline`, `shop_unreachable`, `host_refused`, `invalid_answer`. */
  readonly code: string
  /** Message for developers. */
  readonly message: string
}

/** Result of a request. */
export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: Failure }

/** Validates a response. Returns a failure for an error or an invalid response, and `null` as the data of an action. */
export function readOutcome(endpoint: EndpointName, { response, problem }: Exchange): Outcome<unknown> {
  if (response === null) return createFailure('shop_unreachable', texts.wire.unreachable(problem ?? ''))
  const envelope = z.safeParse(Envelope, parseJson(response.body))
  if (!envelope.success) return createFailure('invalid_answer', texts.wire.invalidAnswer(texts.wire.notAnEnvelope))
  if (!envelope.data.success) return { ok: false, failure: envelope.data.error }
  const { method, output } = endpointRow(endpoint)
  if (method === 'POST') return { ok: true, data: null }
  const { data } = envelope.data
  if (data === undefined) return createFailure('invalid_answer', texts.wire.invalidAnswer(texts.wire.noData))
  const read = z.safeParse(output, data)
  if (read.success) return { ok: true, data: read.data }
  const issues = read.error.issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] }))
  return createFailure('invalid_answer', texts.wire.invalidAnswer(describeIssues(issues, { data })))
}

/** Returns the message for the customer. Ignores the shop's message, which is only for developers. */
export function customerText({ code }: Failure): string {
  const known: Readonly<Record<string, string>> = texts.customerErrors
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? texts.customerErrorOther
}

/** Whether the shop did not find the customer. */
export function isCustomerNotFound({ code }: Failure): boolean {
  return code === 'customer_not_found'
}

/** Whether the failure means that the content is empty, not that an error occurred. */
export function isNothingToShow({ code }: Failure): boolean {
  return code === 'customer_not_found' || code === 'subscription_not_found'
}

function createFailure(code: string, message: string): Outcome<never> {
  return { ok: false, failure: { code, message } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
