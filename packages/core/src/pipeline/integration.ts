import type { Answer, Call } from '../http/call.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { KeyGuessLimit, Observe } from './observe.ts'
import type { RetryOptions } from '../retries/retry-options.ts'
import type { EndpointName, StorePort } from '../contract/store-port.ts'
import type { Widgets } from '../contract/widgets.ts'

/** How an integration is set up. */
export interface IntegrationOptions {
  /** The merchant's shop. */
  readonly store: StorePort
  /** Serves the calls that carry the test-mode header; without one they are refused, never sent to `store`. */
  readonly testStore?: StorePort | undefined
  /** The accepted API keys, in clear or as `sha256:<hex>`, each of 16 characters or more; `undefined` and empty ones are skipped, and without any key every call is refused. */
  readonly apiKeys: readonly (string | undefined)[]
  /** The caller's word in paths and header names; default `integration`. */
  readonly vendor?: string | undefined
  /** What every path starts with; default `/<vendor>`. */
  readonly basePath?: string | undefined
  /** Name of the shop in a ledger that several shops may share: 1–64 letters, digits and `. _ / -`. Required with a shared ledger; default `basePath`. */
  readonly scope?: string | undefined
  /** Header that carries the API key; default `X-<Vendor>-API-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** Header that asks for the test store; default `X-<Vendor>-Test-Mode`. */
  readonly testModeHeader?: string | undefined
  /** Other names that the caller sends for a field, by the field's name: `{ discount_code: ['promo'] }`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined
  /** Currency of every amount, as ISO 4217 writes it; default that of the store, else `USD`. Another one than the store's is a TypeError. */
  readonly currency?: string | undefined
  /** Largest body, in bytes; default 65,536. */
  readonly maxBodyBytes?: number | undefined
  /** Largest `quantity` of one call; default 1,000. */
  readonly maxQuantity?: number | undefined
  /** Time for a store method, in milliseconds; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** How a click counts once; `false` runs every call, however often it is repeated. */
  readonly retries?: RetryOptions | false | undefined
  /** Most calls that run at once; beyond it a call is refused at once with 503; default 10,000. */
  readonly maxConcurrent?: number | undefined
  /** Slows down callers that guess API keys. */
  readonly keyGuesses?: KeyGuessLimit | undefined
  /** Wraps every call, for logs, counts and traces. */
  readonly observe?: Observe | undefined
  /** Called with every failure that is the shop's fault; default: one line on the console, and outside production where it was thrown. */
  readonly onError?: ((error: unknown, summary: ErrorSummary) => void) | undefined
}

/** What happened, without any customer data: safe to log. */
export interface ErrorSummary {
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
  /** The endpoint that was called, where it is known. */
  readonly endpoint: EndpointName | undefined
  /** The code that the caller got. */
  readonly code: ErrorCode
  /** What went wrong, with email addresses taken out. */
  readonly message: string
  /** The code that the system or the database gave the first cause, such as `SQLITE_FULL` or `57014`. */
  readonly cause?: string
  /** Where the first cause was thrown, innermost first; not where `NODE_ENV` is `production`. */
  readonly at?: readonly string[]
}

/** The API of one shop, as request handlers. */
export interface Integration {
  /** What every path starts with. */
  readonly basePath: string
  /** Header that carries the API key. */
  readonly apiKeyHeader: string
  /** Header that asks for the test store. */
  readonly testModeHeader: string
  /** Currency of every amount, ISO 4217: amounts go out with the decimals of its minor unit. */
  readonly currency: string
  /** Whether any API key is set: without one every call is refused. */
  readonly hasKeys: boolean
  /** What the caller will show for the methods that the store has. */
  readonly widgets: Widgets
  /** The endpoints that the store offers. */
  readonly offered: readonly EndpointName[]
  /** Answers a Web Request; never rejects. */
  fetch(request: Request): Promise<Response>
  /** One Web Request handler per endpoint, for a merchant's own router: the path is not checked. */
  readonly handlers: Readonly<Record<EndpointName, (request: Request) => Promise<Response>>>
  /** Answers a plain call, or a call to one endpoint whatever its path; never rejects. */
  answer(call: Call, endpoint?: EndpointName): Promise<Answer>
  /** Whether a path is below the base path; an adapter inside a framework passes others on. */
  owns(path: string): boolean
}
