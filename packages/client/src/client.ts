import type { CompleteStorePort, endpoints, EndpointName, NameOptions, StorePort } from '@storeport/core'
import type * as z from 'zod/mini'

/** Subset of the `fetch` signature that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of `createClient`. */
export interface ClientOptions extends NameOptions {
  /** Base URL of the shop, with http or https, such as `https://shop.example/api`. */
  readonly baseUrl: string
  /** API key of the shop, sent with every request. */
  readonly apiKey: string
  /** Function that sends the requests; default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Timeout of one attempt, in milliseconds; default 10,000. Retries start within `timeoutMs` of the first attempt. */
  readonly timeoutMs?: number | undefined
  /** Maximum retries of a GET after 429, 502, 503, 504 or a network failure, 0–10; default 2. POSTs are not retried. */
  readonly retries?: number | undefined
  /** Sends every request to the shop's test store; default false. */
  readonly testMode?: boolean | undefined
  /**
   * Whether the shop supports `Idempotency-Key`. `forMs` is the time for which the shop remembers a key, in
   * milliseconds. Default false. If the shop supports the header, an integration that uses this client as its store
   * retries changes whose outcome is unknown.
   */
  readonly honoursIdempotencyKey?: StorePort['honoursIdempotencyKey']
  /** Maximum size of a response, in bytes; default 1,048,576. */
  readonly maxResponseBytes?: number | undefined
}

/** Options of one method call. A StorePort method can pass its own `Context`. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Sent as `X-Request-Id`, so that the client and the shop log the same id. Omitted if the id is not visible ASCII.
   */
  readonly requestId?: string | undefined
  /**
   * Sent with a POST as `Idempotency-Key`, so that the shop applies a repeated click only once. 1–255 visible ASCII
   * characters.
   */
  readonly idempotencyKey?: string | undefined
  /** Sends this request to the shop's test store. */
  readonly testMode?: boolean | undefined
}

/** Input of a client method. Fields with a default are optional. */
export type ClientInput<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['input']>

/** Result of a client method; never `null`, because the method throws StoreError if a record is not found. */
export type ClientOutput<Name extends EndpointName> = Exclude<Awaited<ReturnType<CompleteStorePort[Name]>>, null>

type ClientMethods = {
  readonly [Name in EndpointName]: (input: ClientInput<Name>, call?: CallOptions) => Promise<ClientOutput<Name>>
}

/** A `CompleteStorePort` that calls a shop over HTTP. Its methods throw StoreError if a call fails. */
export type Client = ClientMethods & {
  /** Value of the option `honoursIdempotencyKey`. */
  readonly honoursIdempotencyKey: NonNullable<StorePort['honoursIdempotencyKey']>
}
