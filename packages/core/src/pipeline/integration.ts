import type { Answer, Call } from '../http/call.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { ClickRecord } from '../contract/click-record.ts'
import type { Names } from '../contract/names.ts'
import type { RetryOptions } from '../retries/guard.ts'
import type { EndpointName, StorePort } from '../contract/store-port.ts'
import type { Widgets } from '../contract/widgets.ts'

/** Options of `createIntegration`. */
export interface IntegrationOptions {
  /** The store: an object with a method for each endpoint that the shop offers. */
  readonly store: StorePort
  /** Store for requests with the test-mode header. If it is missing, StorePort rejects these requests. They never reach `store`. */
  readonly testStore?: StorePort | undefined
  /** Accepted API keys: strings of at least 16 characters, or digests `sha256:<hex>`. Ignores `undefined` and empty strings. Without a key, every request is rejected. */
  readonly apiKeys: readonly (string | undefined)[]
  /** Name of the email platform in paths and header names; default `integration`. */
  readonly vendor?: string | undefined
  /** Prefix of every path; default `/<vendor>`. */
  readonly basePath?: string | undefined
  /** Name of the shop in a ledger: 1–64 letters, digits and `. _ / -`. Required with a shared ledger; default `basePath`. */
  readonly scope?: string | undefined
  /** Header with the API key; default `X-<Vendor>-API-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** Header that selects the test store; default `X-<Vendor>-Test-Mode`. */
  readonly testModeHeader?: string | undefined
  /** Alternative names of fields in requests, such as `{ discount_code: ['promo'] }`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined
  /** Currency of all amounts, as an ISO 4217 code; default: the store's currency, or `USD`. Must match the store's currency; otherwise `createIntegration` throws a `TypeError`. */
  readonly currency?: string | undefined
  /** Maximum size of a request body, in bytes; default 65,536. */
  readonly maxBodyBytes?: number | undefined
  /** Maximum `quantity` of one request; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Time limit of a store method, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Options that make repeated clicks take effect once. `false` runs every request, including repeats. */
  readonly retries?: RetryOptions | false | undefined
  /** Maximum concurrent requests; default 10,000. Further requests get 503 immediately. */
  readonly maxConcurrent?: number | undefined
  /** Delays responses to requests with an invalid API key. */
  readonly keyGuesses?: KeyGuessLimit | undefined
  /** Wraps every request, for logs, metrics and traces. */
  readonly observe?: Observe | undefined
  /** Called with the record of each change that names a customer, also if the change was rejected, but not in test mode. No request waits for it. At most 1,000 calls are pending; further records are dropped. */
  readonly onClick?: ((record: ClickRecord) => unknown) | undefined
  /**
   * Returns whether an operation is paused, for a switch that acts while the server runs. `paused`: requests get 503
   * with `Retry-After`. `hidden`: requests get 404, so that the email platform hides the button.
   */
  readonly isPaused?: ((operation: EndpointName) => PauseMode | undefined) | undefined
  /** Called for every failure of the shop, and for invalid data that was left out of a response. Default: logs one line on the console; outside production, adds the stack frames. */
  readonly onError?: ((error: unknown, summary: ErrorSummary) => void) | undefined
}

/** How a paused operation responds. */
export type PauseMode = 'paused' | 'hidden'

/** Summary of a failure, without customer data: safe to log. */
export interface ErrorSummary {
  /** `X-Request-Id` of the response. */
  readonly requestId: string
  /** Trace of the request, as in `CallOutcome`. Absent without a trace, or without the option `observe`. */
  readonly trace?: TraceReference
  /** The requested endpoint, if the path matched an endpoint. */
  readonly endpoint: EndpointName | undefined
  /** Error code in the response; `invalid_store_response` for invalid data that was left out of a response. */
  readonly code: ErrorCode
  /** `true` if the response has status 200, and the message names what was left out of it. */
  readonly isLeftOut?: true
  /** Message of the error, without email addresses. */
  readonly message: string
  /** System or database code of the innermost cause, such as `SQLITE_FULL` or `57014`. */
  readonly cause?: string
  /** Stack frames of the innermost cause, innermost frame first; absent if `NODE_ENV` is `production`. */
  readonly at?: readonly string[]
}

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

/** The trace of a request. */
export interface TraceReference {
  /** Trace id: 32 hexadecimal digits. */
  readonly id: string
  /** Whether the trace is recorded. */
  readonly isSampled: boolean
}

/** Part of the context of a request on platforms such as Cloudflare Workers. */
export interface FetchContext {
  /** Extends the life of the process until a promise settles. */
  waitUntil?(promise: Promise<unknown>): void
}

/** The API of one shop, as request handlers. */
export interface Integration extends Names {
  /** Currency of all amounts, as an ISO 4217 code. Amounts in responses have the decimals of the currency's minor unit. */
  readonly currency: string
  /** Whether an API key is set. Without a key, every request is rejected. */
  readonly hasKeys: boolean
  /** Whether the caller shows each widget and button for this store. */
  readonly widgets: Widgets
  /** Endpoints that the store offers. */
  readonly offered: readonly EndpointName[]
  /** Handles a Web Request. Never rejects. On platforms that stop after the response, `context.waitUntil` receives the promise of `onClick`. */
  fetch(request: Request, context?: FetchContext): Promise<Response>
  /** One Web Request handler for each endpoint, for your own router. A handler ignores the path. */
  readonly handlers: Readonly<Record<EndpointName, (request: Request) => Promise<Response>>>
  /** Handles a request from an adapter. If `endpoint` is given, runs that endpoint and ignores the path. Never rejects. */
  answer(call: Call, endpoint?: EndpointName): Promise<Answer>
  /**
   * Handles a request outside the base path that has a valid key and the path of an endpoint with a mistake, such as a
   * missing prefix. The response contains the correction. Returns or resolves to `undefined` for other requests.
   */
  answerOutside(call: Call): Promise<Answer | undefined> | undefined
  /** Whether a path is the base path or below it. Adapters pass other paths to the framework. */
  owns(path: string): boolean
}
