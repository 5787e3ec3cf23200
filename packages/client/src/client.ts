import type { CompleteStorePort, endpoints, EndpointName, NameOptions, StorePort } from '@storeport/core'
import type * as z from 'zod/mini'

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of `createClient`. */
export interface ClientOptions extends NameOptions {
  /** Base URL, http or https: `https://shop.example/api`. */
  readonly baseUrl: string
  /** API key of the shop, sent with every request. */
  readonly apiKey: string
  /** Sends the requests; default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Timeout of one attempt, in milliseconds; default 10,000. No retry starts later than this after the first attempt. */
  readonly timeoutMs?: number | undefined
  /** Maximum retries of a GET after 429, 502, 503, 504 or a network failure, 0–10; default 2. A POST is never retried. */
  readonly retries?: number | undefined
  /** Sends every request to the shop's test store; default false. */
  readonly testMode?: boolean | undefined
  /** Whether the shop supports `Idempotency-Key`, and for how many milliseconds; default false. An integration with this client as its store then retries a change of unknown outcome. */
  readonly honoursIdempotencyKey?: StorePort['honoursIdempotencyKey']
  /** Maximum size of a response, in bytes; default 1,048,576. */
  readonly maxResponseBytes?: number | undefined
}

/** Options of one call. A StorePort method can pass its `Context`. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sent as `X-Request-Id` if it is visible ASCII, so that the logs of both sides share one id. */
  readonly requestId?: string | undefined
  /** Sent with a POST as `Idempotency-Key`, so that a supporting shop counts the click once. 1–255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined
  /** Sends this request to the shop's test store. */
  readonly testMode?: boolean | undefined
}

/** Input of a method. Fields with a default are optional. */
export type ClientInput<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['input']>

/** Result of a method. A record that is not found is a StoreError, never `null`. */
export type ClientOutput<Name extends EndpointName> = Exclude<Awaited<ReturnType<CompleteStorePort[Name]>>, null>

type ClientMethods = {
  readonly [Name in EndpointName]: (input: ClientInput<Name>, call?: CallOptions) => Promise<ClientOutput<Name>>
}

/** A `CompleteStorePort` that calls a shop over HTTP. Each method throws StoreError. */
export type Client = ClientMethods & {
  /** Value of the option `honoursIdempotencyKey`. */
  readonly honoursIdempotencyKey: NonNullable<StorePort['honoursIdempotencyKey']>
}
