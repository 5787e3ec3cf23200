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
 * Reads an answer: returns its data, or nothing for an action.
 *
 * Throws the StoreError that it carries, or `upstream_error` naming what the API does not allow about it.
 */
export function readAnswer(name: EndpointName, answer: RawAnswer, apiKey: string): unknown {
  const endpoint: Endpoint = endpoints[name]
  const { status, retryAfter } = answer
  const body = parseJson()
  const envelope = z.safeParse(Envelope, body)
  if (!envelope.success) throw notAllowed(`is not the envelope: ${describeIssues(envelope.error.issues, body)}`)

  if (!envelope.data.success) {
    const { code, message } = envelope.data.error
    throw new StoreError(chooseErrorCode(code, status, endpoint), cleanMessage(message, apiKey), { retryAfter })
  }

  if (status >= 400) throw notAllowed('says success: true')
  const { data } = envelope.data
  const output = z.safeParse(endpoint.output, data)
  if (!output.success) {
    const issues = output.error.issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] }))
    throw notAllowed(`is not as the API says: ${describeIssues(issues, { data })}`)
  }
  return endpoint.method === 'GET' ? output.data : undefined

  function parseJson(): unknown {
    if (answer.text === '') throw notAllowed('has no body')
    try {
      return JSON.parse(answer.text)
    } catch {
      throw notAllowed(`is not JSON (Content-Type: ${answer.mediaType})`)
    }
  }

  function notAllowed(what: string): StoreError {
    return new StoreError('upstream_error', `${name}: the answer with status ${status} ${what}.`, { retryAfter })
  }
}

/**
 * The code for an error answer; a code that the error table does not know is read by the answer's status.
 *
 * A refusal stays a refusal and a fault stays a fault: what is left over is `invalid_request` or `upstream_error`.
 */
function chooseErrorCode(code: string, status: number, endpoint: Endpoint): ErrorCode {
  if (isErrorCode(code)) return code
  const hasStatus = (candidate: ErrorCode) => errorRow(candidate).status === status
  const known = Object.keys(errors).filter(isErrorCode)
  const byStatus = status === 404 ? (endpoint.absent ?? endpoint.errors.find(hasStatus)) : undefined
  return byStatus ?? known.find(hasStatus) ?? (status >= 500 ? 'upstream_error' : 'invalid_request')
}

/** A server's message as it may be shown and logged: without email addresses and the key; `undefined` when nothing is left. */
function cleanMessage(message: string, apiKey: string): string | undefined {
  const clean = withoutEmails(message.replaceAll(apiKey, '[key]'))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return clean === '' ? undefined : clean
}
