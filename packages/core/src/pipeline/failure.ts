import { type Answer, errorAnswer } from '../http/call.ts'
import { StoreResponseError } from './check-output.ts'
import { type ErrorCode, errorRow, isStoreError } from '../contract/errors.ts'
import type { ErrorSummary } from './integration.ts'
import { allowedMethods } from '../contract/endpoints.ts'
import { describeError, type Progress } from './observe.ts'

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

/** Passes a failure to `onError`. Ignores errors from `onError`, so that a failing logger cannot change a response. */
export function reportFailure(error: unknown, code: ErrorCode, progress: Progress, onError: OnError): void {
  const { requestId, endpoint, trace } = progress
  const { error: message, cause, at } = describeError(error)
  try {
    onError(error, {
      requestId,
      ...(trace !== undefined && { trace }),
      endpoint,
      code,
      message,
      ...(cause !== undefined && { cause }),
      ...(at !== undefined && !isProduction() && { at }),
    })
  } catch {
    return
  }
}

/** Passes a line about what was left out of a response to `onError`. The response is not a failure. */
export function reportLeftOut(line: string, progress: Progress, onError: OnError): void {
  const { requestId, endpoint, trace } = progress
  try {
    onError(new StoreResponseError(line), {
      requestId,
      ...(trace !== undefined && { trace }),
      endpoint,
      code: 'invalid_store_response',
      message: line,
      isLeftOut: true,
    })
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
