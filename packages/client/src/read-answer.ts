import {
  type Endpoint,
  endpoints,
  type EndpointName,
  type ErrorCode,
  errorRow,
  errors,
  isErrorCode,
  StoreError,
  withoutEmails,
} from '@storeport/core'
import * as z from 'zod/mini'
import type { RawAnswer } from './read-response.ts'

const Envelope = z.discriminatedUnion(
  'success',
  [
    z.object({ success: z.literal(true), data: z.optional(z.unknown()) }),
    z.object({
      success: z.literal(false),
      error: z.object(
        { code: z.string('must be a string'), message: z.string('must be a string') },
        'must be an object',
      ),
    }),
  ],
  'must be true or false',
)

/**
 * Reads an answer: returns its data, or nothing for an action.
 *
 * Throws the StoreError that it carries, or `upstream_error` naming what the API does not allow about it.
 */
export function readAnswer(name: EndpointName, answer: RawAnswer, apiKey: string): unknown {
  const endpoint: Endpoint = endpoints[name]
  const { status, retryAfter } = answer
  const envelope = z.safeParse(Envelope, parseJson())
  if (!envelope.success) throw notAllowed(`is not the envelope: ${describeFirstIssue(envelope.error)}`)

  if (!envelope.data.success) {
    const { code, message } = envelope.data.error
    throw new StoreError(chooseErrorCode(code, status, endpoint), cleanMessage(message, apiKey), { retryAfter })
  }

  if (status >= 400) throw notAllowed('says success: true')
  const output = z.safeParse(endpoint.output, envelope.data.data)
  if (!output.success) throw notAllowed(`is not as the API says: ${describeFirstIssue(output.error, 'data')}`)
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

/** Names the first thing that is wrong and where, without any value: `data.items[0].price: must be a number`. */
function describeFirstIssue(error: z.core.$ZodError, root = ''): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'it cannot be read'
  const where = issue.path.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`
    return at === '' ? String(key) : `${at}.${String(key)}`
  }, root)
  return where === '' ? issue.message : `${where}: ${issue.message}`
}
