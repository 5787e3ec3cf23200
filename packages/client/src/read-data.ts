import {
  describeIssues,
  type Endpoint,
  endpoints,
  type EndpointName,
  Envelope,
  type ErrorCode,
  errorRow,
  errors,
  isErrorCode,
  StoreError,
  withoutEmails,
} from '@storeport/core'
import * as z from 'zod/mini'
import type { RawAnswer } from './read-response.ts'

/**
 * Validates a response. Returns its data for a GET, and `undefined` for an action (POST).
 *
 * Throws StoreError with the error in the response, or `upstream_error` if the response does not match the contract.
 */
export function readData(name: EndpointName, response: RawAnswer, apiKey: string): unknown {
  const endpoint: Endpoint = endpoints[name]
  const { status, retryAfter } = response
  const body = parseJson()
  const envelope = z.safeParse(Envelope, body)
  if (!envelope.success) throw invalid(`does not have a valid body: ${describeIssues(envelope.error.issues, body)}`)

  if (!envelope.data.success) {
    const { code, message } = envelope.data.error
    throw new StoreError(chooseErrorCode(code, status, endpoint), cleanMessage(message, apiKey), { retryAfter })
  }

  if (status >= 400) throw invalid('has success: true')
  const { data } = envelope.data
  const output = z.safeParse(endpoint.output, data)
  if (!output.success) {
    const issues = output.error.issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] }))
    throw invalid(`does not match the contract: ${describeIssues(issues, { data })}`)
  }
  return endpoint.method === 'GET' ? output.data : undefined

  function parseJson(): unknown {
    if (response.text === '') throw invalid('has no body')
    try {
      return JSON.parse(response.text)
    } catch {
      throw invalid(`is not JSON (Content-Type: ${response.mediaType})`)
    }
  }

  function invalid(problem: string): StoreError {
    return new StoreError('upstream_error', `${name}: the response with status ${status} ${problem}.`, { retryAfter })
  }
}

/**
 * Returns the code of an error response. An unsupported code is replaced by a code with the same status.
 *
 * If no code has this status, returns `upstream_error` for 500 and above, otherwise `invalid_request`.
 */
function chooseErrorCode(code: string, status: number, endpoint: Endpoint): ErrorCode {
  if (isErrorCode(code)) return code
  const hasStatus = (candidate: ErrorCode) => errorRow(candidate).status === status
  const codes = Object.keys(errors).filter(isErrorCode)
  const byStatus = status === 404 ? (endpoint.absent ?? endpoint.errors.find(hasStatus)) : undefined
  return byStatus ?? codes.find(hasStatus) ?? (status >= 500 ? 'upstream_error' : 'invalid_request')
}

/**
 * Removes email addresses, the API key and control characters from a message; returns `undefined` if nothing remains.
 */
function cleanMessage(message: string, apiKey: string): string | undefined {
  const clean = withoutEmails(message.replaceAll(apiKey, '[key]'))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return clean === '' ? undefined : clean
}
