import { type Answer, type Call, safeRequestId } from '../http/call.ts'
import { type ErrorCode, withoutEmails } from '../contract/errors.ts'
import type { EndpointName } from '../contract/store-port.ts'

/** How a call ended, without any customer data: safe to log, to count and to trace. */
export interface CallOutcome {
  /** What the caller gets. */
  readonly answer: Answer
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
  /** The endpoint, where the path names one. */
  readonly endpoint: EndpointName | undefined
  /** The code of an error answer. */
  readonly code: ErrorCode | undefined
  /** Whether the answer is a repeat that the store did not see. */
  readonly replayed: boolean
  /** Whether the test store was asked. */
  readonly testMode: boolean
  /** Time that the store took, in milliseconds; `undefined` when it was not asked. */
  readonly storeMs: number | undefined
}

/** Wraps every call, for logs, counts and traces: it must call `run` once and return what that returns. */
export type Observe = (call: Call, run: () => Promise<CallOutcome>) => Promise<CallOutcome>

/** Slows down callers that guess API keys, by whatever distinguishes clients; a right key never waits for it. */
export interface KeyGuessLimit {
  /** Called with every call whose key is wrong or missing; its answer, 401, waits for what this returns. */
  failed(call: Call): void | Promise<void>
}

/** What is known of a call while it goes through the pipeline; at its end it is the outcome. */
export type Progress = { -readonly [Key in keyof CallOutcome]: CallOutcome[Key] }

/** Starts the progress of a call, to one endpoint whatever its path or to the one that its path names. */
export function startProgress(call: Call, endpoint: EndpointName | undefined): Progress {
  return {
    answer: notAnswered,
    requestId: safeRequestId(call.header('x-request-id')) ?? crypto.randomUUID(),
    endpoint,
    code: undefined,
    replayed: false,
    testMode: false,
    storeMs: undefined,
  }
}

/** Is in an outcome until there is an answer. */
const notAnswered: Answer = { status: 500, headers: {}, body: '' }

/** What of an OpenTelemetry span is used. */
export interface TraceSpan {
  /** Adds what is known at the end. */
  setAttributes(attributes: Record<string, string | number | boolean>): unknown
  /** Names the span once the endpoint is known. */
  updateName(name: string): unknown
  /** Marks a failure; 2 is OpenTelemetry's error. */
  setStatus(status: { code: number }): unknown
  /** Ends the span. */
  end(): void
}

/** What of an OpenTelemetry tracer is used: `trace.getTracer('storeport')` of `@opentelemetry/api` is one. */
export interface CallTracer {
  /** Runs a function inside a new span. */
  startActiveSpan<Result>(name: string, options: { kind: number }, run: (span: TraceSpan) => Result): Result
}

const serverKind = 1
const errorStatus = 2

/** An observer that makes each call an OpenTelemetry span, without any customer data; the store's own spans lie inside it. */
export function traceCalls(tracer: CallTracer): Observe {
  return (call, run) =>
    tracer.startActiveSpan(call.method, { kind: serverKind }, async (span) => {
      try {
        const outcome = await run()
        const { answer, endpoint, code, replayed, requestId } = outcome
        span.setAttributes({
          'http.request.method': call.method,
          'http.response.status_code': answer.status,
          'storeport.request_id': requestId,
          'storeport.replayed': replayed,
          ...(endpoint !== undefined && { 'storeport.endpoint': endpoint }),
          ...(code !== undefined && { 'error.type': code }),
        })
        if (endpoint !== undefined) span.updateName(`${call.method} ${endpoint}`)
        if (answer.status >= 500) span.setStatus({ code: errorStatus })
        return outcome
      } finally {
        span.end()
      }
    })
}

/** What a log line says of an error. */
export interface ErrorDescription {
  /** What was thrown, without email addresses. */
  readonly error: string
  /** The code that the system or the database gave the first cause, such as `ECONNREFUSED`, `SQLITE_FULL` or `57014`. */
  readonly cause?: string
  /** Where the first cause was thrown, innermost first. */
  readonly at?: readonly string[]
}

/** Causes of causes that are looked at. */
const mostCauses = 5

/** What a log line says about something that was thrown, also when looking at it throws: what it is, the code of its cause and where, without customer data. */
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

/** An error and what caused it, the first cause last; of several at once, such as of connections to several addresses, the first. */
function causesOf(error: Error): Error[] {
  const causes = [error]
  while (causes.length <= mostCauses) {
    const last = causes.at(-1)
    const next: unknown = last instanceof AggregateError ? last.errors[0] : last?.cause
    if (!(next instanceof Error) || causes.includes(next)) break
    causes.push(next)
  }
  return causes
}

/** Codes of systems and databases are capitals and digits: nothing of a customer's looks like that. */
function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]{2,40}|[0-9A-Z]{5})$/.test(code) ? code : undefined
}

/** The stack repeats the message, which may go over several lines and hold anything. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const frames = lines.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  return frames.slice(0, 10)
}
