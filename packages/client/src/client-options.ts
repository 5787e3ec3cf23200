import type { NameOptions } from '@storeport/core'

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Which shop a client calls, and how patiently. */
export interface ClientOptions extends NameOptions {
  /** Address that every path is appended to, http or https: `https://shop.example/api`. */
  readonly baseUrl: string
  /** The key that the shop gave out, sent with every call (SPEC "Authentication"). */
  readonly apiKey: string
  /** Carries the requests; default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Time for one attempt, in milliseconds; default 10,000. No retry starts later than this after the call began. */
  readonly timeoutMs?: number | undefined
  /** Further attempts of a GET that met 429, 502, 503, 504 or a network failure, 0–10; default 2. A POST is sent once. */
  readonly retries?: number | undefined
  /** Sends every call to the test store of the shop; default false. */
  readonly testMode?: boolean | undefined
  /** Whether the shop honours `Idempotency-Key`; an integration whose store is this client relies on it. Default false. */
  readonly honoursIdempotencyKey?: boolean | undefined
  /** Largest answer, in bytes; default 1,048,576. */
  readonly maxAnswerBytes?: number | undefined
}
