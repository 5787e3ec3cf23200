import { type Answer, errorAnswer } from '../http/call.ts'
import { StoreResponseError } from './check-output.ts'
import { type ErrorCode, errorRow, isStoreError, withoutEmails } from '../contract/errors.ts'
import type { ErrorSummary, Progress } from './integration.ts'
import { allowedMethods } from '../contract/endpoints.ts'

/** Type of the option `onError`. */
export type OnError = (error: unknown, summary: ErrorSummary) => void

/** Converts a thrown value to a response, and reports failures of the shop to the merchant. */
export function failureAnswer(error: unknown, progress: Progress, onError: OnError): Answer {
  try {
    return answerTo(error, progress, onError)
  } catch (unreadable) {
    // Reading the thrown value threw another error.
    return answerTo(unreadable, progress, onError)
  }
}

function answerTo(error: unknown, progress: Progress, onError: OnError): Answer {
  const { requestId, endpoint } = progress
  const code = codeOf(error)
  progress.code = code
  if (errorRow(code).status >= 500 && !progress.paused) reportFailure(error, code, progress, onError)
  if (!isStoreError(error)) return errorAnswer(code, { requestId })
  const allow = code === 'method_not_allowed' && endpoint !== undefined ? allowedMethods(endpoint) : undefined
  return errorAnswer(code, { requestId, message: error.message, retryAfter: error.retryAfter, allow })
}

function codeOf(error: unknown): ErrorCode {
  if (isStoreError(error)) return error.code
  return error instanceof StoreResponseError ? 'invalid_store_response' : 'internal_error'
}

/** Passes a failure to `onError`. */
export function reportFailure(error: unknown, code: ErrorCode, progress: Progress, onError: OnError): void {
  const { error: message, cause, at } = describeError(error)
  report(error, progress, onError, {
    code,
    message,
    ...(cause !== undefined && { cause }),
    ...(at !== undefined && !isProduction() && { at }),
  })
}

/** Passes a line about what was left out of a response to `onError`. The response is not a failure. */
export function reportLeftOut(line: string, progress: Progress, onError: OnError): void {
  const facts = { code: 'invalid_store_response', message: line, isLeftOut: true } as const
  report(new StoreResponseError(line), progress, onError, facts)
}

/** Calls `onError`, and ignores its errors, so that a failing logger cannot change a response. */
function report(
  error: unknown,
  { requestId, endpoint, trace }: Progress,
  onError: OnError,
  facts: Omit<ErrorSummary, 'requestId' | 'endpoint' | 'trace'>,
): void {
  try {
    onError(error, { requestId, ...(trace !== undefined && { trace }), endpoint, ...facts })
  } catch {
    return
  }
}

/** Default of `onError`. Logs one line without customer data. Outside production, adds the stack frames. */
export function logOnConsole(_error: unknown, summary: ErrorSummary): void {
  const { requestId, endpoint = 'call', code, message, cause, at = [], isLeftOut } = summary
  const event = isLeftOut ? 'left out' : `failed with ${code}`
  const line = `storeport: ${endpoint} ${event}: ${message}${cause ? ` (${cause})` : ''} (request ${requestId})`
  console.error([line, ...at].join('\n    '))
}

/** Whether `NODE_ENV` is `production`. Returns `true` if the runtime denies access to `process`. */
export function isProduction(): boolean {
  try {
    const { process }: { process?: { env?: { NODE_ENV?: string } } } = Object(globalThis)
    return process?.env?.NODE_ENV === 'production'
  } catch {
    return true
  }
}

/** Description of an error for the log. */
export interface ErrorDescription {
  /** Name and message of the error, without email addresses. */
  readonly error: string
  /** System or database code of the innermost cause, such as `ECONNREFUSED`, `SQLITE_FULL` or `57014`. */
  readonly cause?: string
  /** Stack frames of the innermost cause, innermost frame first. */
  readonly at?: readonly string[]
}

/** Maximum depth of nested causes. */
const maxCauses = 5

/** Describes a thrown value for the log, without customer data. Never throws. */
export function describeError(error: unknown): ErrorDescription {
  try {
    return error instanceof Error ? describeCauses(error) : { error: `thrown value of type ${typeof error}` }
  } catch {
    return { error: 'thrown value that cannot be read' }
  }
}

function describeCauses(error: Error): ErrorDescription {
  const causes = causesOf(error)
  const cause = causes.map(systemCodeOf).findLast((code) => code !== undefined)
  return {
    error: withoutEmails(`${error.name}: ${error.message}`),
    ...(cause !== undefined && { cause }),
    at: framesOf(causes.findLast(({ stack }) => stack !== undefined) ?? error),
  }
}

/** Returns an error and its nested causes, innermost last. For an AggregateError, follows only its first error. */
function causesOf(error: Error): Error[] {
  const causes = [error]
  while (causes.length <= maxCauses) {
    const last = causes.at(-1)
    const next: unknown = last instanceof AggregateError ? last.errors[0] : last?.cause
    if (!(next instanceof Error) || causes.includes(next)) break
    causes.push(next)
  }
  return causes
}

/** Returns the system or database code of an error. Ignores any other `code`, which may contain customer data. */
function systemCodeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]{2,40}|[0-9A-Z]{5})$/.test(code) ? code : undefined
}

/** Returns the stack frames. Skips the message, which can have several lines and contain customer data. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const frames = lines.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  return frames.slice(0, 10)
}
