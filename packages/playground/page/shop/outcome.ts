import { describeIssues, endpointRow, type EndpointName, Envelope } from '@storeport/core'
import * as z from 'zod/mini'
import type { Exchange } from '../../src/protocol.ts'
import { texts } from '../texts.ts'

/** Reason why a request to the shop failed. */
export interface Failure {
  /** Error code of the API, or a code of the page, such as `host_offline` or `invalid_answer`. */
  readonly code: string
  /** Message for developers. Only the message of `demo_failed` is for the user of the page. */
  readonly message: string
}

/** Result of a request. */
export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: Failure }

/**
 * Validates a response. Returns a failure for an error or an invalid response. The data of a POST request is `null`.
 */
export function readOutcome(
  endpoint: EndpointName,
  { response, problem }: Pick<Exchange, 'response' | 'problem'>,
): Outcome<unknown> {
  if (response === null) return createFailure('shop_unreachable', `The shop did not respond: ${problem ?? ''}.`)
  const envelope = z.safeParse(Envelope, parseJson(response.body))
  if (!envelope.success) return invalidAnswer('it is not a JSON object with success and data or error')
  if (!envelope.data.success) return { ok: false, failure: envelope.data.error }
  const { method, output } = endpointRow(endpoint)
  if (method === 'POST') return { ok: true, data: null }
  const { data } = envelope.data
  if (data === undefined) return invalidAnswer('data is missing')
  const read = z.safeParse(output, data)
  if (read.success) return { ok: true, data: read.data }
  const issues = read.error.issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] }))
  return invalidAnswer(describeIssues(issues, { data }))
}

/** Returns the message for the customer. Ignores the shop's message, which is only for developers. */
export function customerText({ code, message }: Failure): string {
  if (code === 'demo_failed') return message
  const known: Readonly<Record<string, string>> = texts.customerErrors
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'An error occurred. Please try again in a moment.'
}

/** Whether the failure means that there is no content to display. */
export function isNothingToShow({ code }: Failure): boolean {
  return code === 'customer_not_found' || code === 'subscription_not_found'
}

function invalidAnswer(issue: string): Outcome<never> {
  return createFailure('invalid_answer', `The response does not match the contract: ${issue}`)
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
