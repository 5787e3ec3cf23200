import type { Answer, Call } from '../pipeline/call.ts'
import type { ErrorCode } from '../errors.ts'
import type { EndpointName } from '../store-port.ts'

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
