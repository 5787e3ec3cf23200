import { type Answer, type Call, safeRequestId } from '../http/call.ts'
import { type ErrorCode, withoutEmails } from '../contract/errors.ts'
import type { EndpointName } from '../contract/store-port.ts'
import type { TraceReference } from '../http/trace-context.ts'

/** Outcome of a request, without customer data: safe for logs, metrics and traces. */
export interface CallOutcome {
  /** The response. */
  readonly answer: Answer
  /** `X-Request-Id` of the response. */
  readonly requestId: string
  /** The endpoint, if the path matched an endpoint. */
  readonly endpoint: EndpointName | undefined
  /** Path of the endpoint with the base path, if the request was routed by its path. */
  readonly route: string | undefined
  /** Error code of the response. */
  readonly code: ErrorCode | undefined
  /** Whether the response is a replay. If so, the store method was not called. */
  readonly replayed: boolean
  /** Whether the request selected the test store. */
  readonly testMode: boolean
  /** Whether the operation is paused. The 503 response is then not a failure. */
  readonly paused: boolean
  /** Duration of the store call, in milliseconds; `undefined` if the store was not called. */
  readonly storeMs: number | undefined
  /** Trace of the request: its `traceparent`, or the span of `traceCalls`. */
  readonly trace: TraceReference | undefined
}

/**
 * Wraps every request, for logs, metrics and traces. The function must call `run` once and return its result. A trace
 * that is passed to `run` replaces the trace of the header `traceparent`.
 */
export type Observe = (call: Call, run: (trace?: TraceReference) => Promise<CallOutcome>) => Promise<CallOutcome>

/** Delays responses to requests with an invalid API key. Requests with a valid key are never delayed. */
export interface KeyGuessLimit {
  /** Called for every request with an invalid key, not for a request without a key. The 401 response waits for the returned promise. */
  failed(call: Call): void | Promise<void>
}

/** State of a request in the pipeline. Becomes the outcome when the request ends. */
export type Progress = { -readonly [Key in keyof CallOutcome]: CallOutcome[Key] }

/** Creates the state of a request. `endpoint` is set only if the handler belongs to one endpoint. */
export function startProgress(call: Call, endpoint: EndpointName | undefined): Progress {
  return {
    answer: noResponse,
    requestId: safeRequestId(call.header('x-request-id')) ?? crypto.randomUUID(),
    endpoint,
    route: undefined,
    code: undefined,
    replayed: false,
    testMode: false,
    paused: false,
    storeMs: undefined,
    trace: undefined,
  }
}

/** Placeholder that is replaced when the response exists. */
const noResponse: Answer = { status: 500, headers: {}, body: '' }

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
  const cause = causes.map(codeOf).findLast((code) => code !== undefined)
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
function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]{2,40}|[0-9A-Z]{5})$/.test(code) ? code : undefined
}

/** Returns the stack frames. Skips the message, which can have several lines and contain customer data. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const frames = lines.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  return frames.slice(0, 10)
}
