import { type Endpoint, endpoints, type EndpointName, StoreError } from '@storeport/core'
import * as z from 'zod/mini'
import { errorCodeOf } from './error-code.ts'
import { firstIssue } from './first-issue.ts'
import { safeMessage } from './safe-message.ts'
import type { RawAnswer } from './send.ts'

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
 * Understands an answer: returns its data, or nothing for an action.
 *
 * Throws the StoreError that it carries, or `upstream_error` naming what the API does not allow about it.
 */
export function readAnswer(name: EndpointName, answer: RawAnswer, apiKey: string): unknown {
  const endpoint: Endpoint = endpoints[name]
  const { status, retryAfter } = answer
  const envelope = z.safeParse(Envelope, parseJson())
  if (!envelope.success) throw notAllowed(`is not the envelope: ${firstIssue(envelope.error)}`)

  if (!envelope.data.success) {
    const { code, message } = envelope.data.error
    throw new StoreError(errorCodeOf(code, status, endpoint), safeMessage(message, apiKey), { retryAfter })
  }

  if (status >= 400) throw notAllowed('says success: true')
  const output = z.safeParse(endpoint.output, envelope.data.data)
  if (!output.success) throw notAllowed(`is not as the API says: ${firstIssue(output.error, 'data')}`)
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
