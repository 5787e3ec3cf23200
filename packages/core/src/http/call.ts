import * as z from 'zod/mini'
import { type ErrorCode, errorRow, StoreError, withoutEmails } from '../contract/errors.ts'
import { cleanText } from '../contract/schemas.ts'

/** A request, independent of any framework. Adapters create a `Call` from their framework's request. */
export interface Call {
  /** HTTP method in uppercase. */
  readonly method: string
  /** Path as sent, without the query, relative to the adapter's mount point. */
  readonly path: string
  /** Query as sent, without the question mark. */
  readonly query: string
  /** Returns a header by its lowercase name. Repeated headers are joined with `, `. */
  header(name: string): string | null | undefined
  /** Returns the body as a string. Throws StoreError `payload_too_large` if the body is longer than `maxBytes`. */
  text(maxBytes: number): Promise<string>
  /** Scheme of the request's URL, if the adapter provides it. */
  readonly scheme?: 'http' | 'https' | undefined
  /** IP address of the client, if the adapter provides it. */
  readonly clientAddress?: string | undefined
  /**
   * Returns whether the caller has disconnected; default: never. Called after each successful change, so that the
   * success is stored for longer if its caller receives no response.
   */
  readonly hasDisconnected?: (() => boolean) | undefined
  /**
   * Calls `listener` once when the caller disconnects, or immediately if the caller has already disconnected. Returns a function that
   * removes the listener.
   */
  readonly onAbort?: ((listener: () => void) => () => void) | undefined
  /** Extends the life of the process until a promise settles, on platforms that stop it after the response. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined
}

/** A response, independent of any framework. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  /** Response headers. The names are sent in the given letter case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON body. Adapters omit the body in responses to HEAD. */
  readonly body: string
}

/** Returns the caller's `X-Request-Id` if it is safe to log and to return, otherwise `undefined` (HEADER-5, HEADER-6). */
export function safeRequestId(sent: unknown): string | undefined {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : undefined
}

/**
 * Returns at most 100 characters of a path, for logs and traces. Replaces each segment that is not a lower-case word
 * with `…`, because the segment can contain an email or a key.
 */
export function maskPath(path: string): string {
  const segments = path
    .split('/')
    .map((segment) => (/^(?:[a-z]{1,20}(?:-[a-z]{1,20}){0,3})?$/.test(segment) ? segment : '…'))
  return segments.join('/').slice(0, 100)
}

/**
 * Reads the parameters with known names from a query, and ignores all other parameters. A `+` is a space, except in the
 * parameters `withPlus`.
 *
 * Throws StoreError `invalid_request` if a known parameter is repeated or its value cannot be decoded.
 */
export function readQuery(
  query: string,
  known: readonly string[],
  withPlus: readonly string[] = [],
): Record<string, string> {
  const values: Record<string, string> = {}
  if (query === '') return values
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const sent = decode(equals === -1 ? pair : pair.slice(0, equals))
    // A Set would be slower, because it hashes each name. In V8, the string from `known` is the fastest property key.
    const name = known.find((each) => each === sent)
    if (name === undefined) continue
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_request', `${name}: must be sent only once`)
    const encoded = equals === -1 ? '' : pair.slice(equals + 1)
    const value = decode(encoded.includes('+') && !withPlus.includes(name) ? encoded.replaceAll('+', ' ') : encoded)
    if (value === undefined) throw new StoreError('invalid_request', `${name}: must be percent-encoded UTF-8`)
    values[name] = value
  }
  return values
}

/** Returns the names of all parameters in a query, except names that cannot be decoded. */
export function namesInQuery(query: string): readonly string[] {
  return query.split('&').flatMap((pair) => decode(pair.split('=', 1)[0] ?? '') ?? [])
}

function decode(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Schema with which clients validate every response body (JSON-1, ERROR-1). The endpoint's own schema validates `data`. */
export const Envelope = z.discriminatedUnion(
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

/** Options of an error response. */
export interface ErrorAnswerOptions {
  /** Sent as `X-Request-Id`; default: a new id. */
  readonly requestId?: string | undefined
  /** Replaces the default message of the code; email addresses and control characters are removed. */
  readonly message?: string | undefined
  /** Value of `Retry-After`, in seconds; the default depends on the code. */
  readonly retryAfter?: number | undefined
  /** Value of the `Allow` header in a 405 response. */
  readonly allow?: string | undefined
}

/** Creates the response to a successful request. Responses to changes have no `data` (JSON-1, JSON-2). */
export function successAnswer(data: unknown, requestId: string, replayed = false): Answer {
  const body = data === undefined ? '{"success":true}' : `{"success":true,"data":${JSON.stringify(data)}}`
  const headers = standardHeaders(requestId)
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  return { status: 200, headers, body }
}

/** Creates the response to a rejected or failed request (ERROR-1). */
export function errorAnswer(code: ErrorCode, options: ErrorAnswerOptions = {}): Answer {
  const row = errorRow(code)
  const headers = standardHeaders(options.requestId ?? crypto.randomUUID())
  const retryAfter = options.retryAfter ?? row.retryAfter
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(0, Math.ceil(retryAfter)))
  if (options.allow !== undefined) headers['Allow'] = options.allow
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'ApiKey'
  const message = options.message === undefined ? row.message : cleanText(withoutEmails(options.message))
  return { status: row.status, headers, body: JSON.stringify({ success: false, error: { code, message } }) }
}

function standardHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
}
