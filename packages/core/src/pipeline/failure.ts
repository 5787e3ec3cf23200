import { errorAnswer } from './answers.ts'
import type { Answer } from './call.ts'
import { StoreResponseError } from './check-output.ts'
import { type ErrorCode, errorRow, isStoreError } from '../errors.ts'
import type { ErrorSummary } from '../integration.ts'
import { allowedMethods } from './match-endpoint.ts'
import type { Progress } from './progress.ts'
import { withoutEmails } from '../observe/without-emails.ts'

/** The option `onError`. */
export type OnError = (error: unknown, summary: ErrorSummary) => void

/** Turns what was thrown into the answer that the caller gets, and tells the merchant when it is the shop's fault. */
export function failureAnswer(error: unknown, progress: Progress, onError: OnError): Answer {
  try {
    return answerTo(error, progress, onError)
  } catch (unreadable) {
    // Looking at what was thrown threw, too.
    return answerTo(unreadable, progress, onError)
  }
}

function answerTo(error: unknown, progress: Progress, onError: OnError): Answer {
  const { requestId, endpoint } = progress
  const code = codeOf(error)
  progress.code = code
  if (errorRow(code).status >= 500) tellMerchant(error, code, progress, onError)
  if (!isStoreError(error)) return errorAnswer(code, { requestId })
  const allow = code === 'method_not_allowed' && endpoint !== undefined ? allowedMethods(endpoint) : undefined
  return errorAnswer(code, { requestId, message: error.message, retryAfter: error.retryAfter, allow })
}

function codeOf(error: unknown): ErrorCode {
  if (isStoreError(error)) return error.code
  return error instanceof StoreResponseError ? 'invalid_store_response' : 'internal_error'
}

/** Hands a failure to `onError`; whatever that throws is dropped, since no answer depends on the merchant's logging. */
export function tellMerchant(error: unknown, code: ErrorCode, progress: Progress, onError: OnError): void {
  const { requestId, endpoint } = progress
  try {
    onError(error, { requestId, endpoint, code, message: describe(error) })
  } catch {
    return
  }
}

/** The default of `onError`: one line without customer data. */
export function logOnConsole(_error: unknown, { requestId, endpoint, code, message }: ErrorSummary): void {
  console.error(`storeport: ${endpoint ?? 'call'} failed with ${code}: ${message} (request ${requestId})`)
}

function describe(error: unknown): string {
  try {
    return withoutEmails(
      error instanceof Error ? `${error.name}: ${error.message}` : `thrown value of type ${typeof error}`,
    )
  } catch {
    return 'thrown value that cannot be read'
  }
}
