import { type ErrorCode, errorRow, withoutEmails } from '../contract/errors.ts'

/** A request, as plain as the pipeline needs it: an adapter makes one from whatever its framework has. */
export interface Call {
  /** HTTP method, upper case. */
  readonly method: string
  /** Path as it was sent, without the query, below the adapter's mount point. */
  readonly path: string
  /** Query as it was sent, without the question mark. */
  readonly query: string
  /** A header by its lower-case name; several of one name are joined by `, `. */
  header(name: string): string | null | undefined
  /** The body as text; throws StoreError `payload_too_large` as soon as it is longer than `maxBytes`. */
  text(maxBytes: number): Promise<string>
  /** Network address of the client, where the adapter knows it. */
  readonly clientAddress?: string | undefined
  /** Whether the caller has left without an answer; asked of a change that has succeeded, in place of `onAbort`, which takes longer. */
  readonly hasLeft?: (() => boolean) | undefined
  /** Calls `listener` once when the caller leaves before the answer, at once when it has left; returns how to stop listening. */
  readonly onAbort?: ((listener: () => void) => () => void) | undefined
}

/** A response, as plain as an adapter needs it. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  /** Header names as they should be written, with their values. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; an adapter leaves it out in answers to HEAD. */
  readonly body: string
}

/** Returns the `X-Request-Id` that a caller sent when it is safe to log and to repeat, else `undefined` (HEADER-5, HEADER-6). */
export function safeRequestId(sent: unknown): string | undefined {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : undefined
}

/** What an error answer says besides its code. */
export interface ErrorAnswerOptions {
  /** Sent as `X-Request-Id`; a new one when left out. */
  readonly requestId?: string | undefined
  /** Replaces the message of the error table; emails are taken out of it. */
  readonly message?: string | undefined
  /** Seconds for `Retry-After`, instead of the error table's. */
  readonly retryAfter?: number | undefined
  /** Value of the `Allow` header of a 405. */
  readonly allow?: string | undefined
}

/** The answer to a call that succeeded; `data` is left out of answers to actions (JSON-1, JSON-2). */
export function successAnswer(data: unknown, requestId: string, replayed = false): Answer {
  const body = data === undefined ? '{"success":true}' : `{"success":true,"data":${JSON.stringify(data)}}`
  const headers = standardHeaders(requestId)
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  return { status: 200, headers, body }
}

/** The answer to a call that was refused or failed (ERROR-1). */
export function errorAnswer(code: ErrorCode, options: ErrorAnswerOptions = {}): Answer {
  const row = errorRow(code)
  const headers = standardHeaders(options.requestId ?? crypto.randomUUID())
  const retryAfter = options.retryAfter ?? row.retryAfter
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(0, Math.ceil(retryAfter)))
  if (options.allow !== undefined) headers['Allow'] = options.allow
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'ApiKey'
  const message = options.message === undefined ? row.message : withoutEmails(options.message)
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
