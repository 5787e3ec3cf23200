import type { Answer } from './call.ts'
import { errorRow, type ErrorCode } from '../errors.ts'
import { withoutEmails } from '../observe/without-emails.ts'

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
