import type { CompleteStorePort, endpoints, EndpointName, NameOptions, StorePort } from '@storeport/core'
import type * as z from 'zod/mini'

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Which shop a client calls, and how long it waits for it. */
export interface ClientOptions extends NameOptions {
  /** Address that every path is appended to, http or https: `https://shop.example/api`. */
  readonly baseUrl: string
  /** The key that the shop gave out, sent with every call. */
  readonly apiKey: string
  /** Carries the requests; default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Time for one attempt, in milliseconds; default 10,000. No retry starts later than this after the call began. */
  readonly timeoutMs?: number | undefined
  /** Further attempts of a GET that met 429, 502, 503, 504 or a network failure, 0–10; default 2. A POST is sent once. */
  readonly retries?: number | undefined
  /** Sends every call to the test store of the shop; default false. */
  readonly testMode?: boolean | undefined
  /** Whether the shop honours `Idempotency-Key`, and for how many milliseconds; default false. If this client is the store of an integration, the integration then repeats a change of unknown outcome. */
  readonly honoursIdempotencyKey?: StorePort['honoursIdempotencyKey']
  /** Largest answer, in bytes; default 1,048,576. */
  readonly maxAnswerBytes?: number | undefined
}

/** What may be said about a call besides its input; a StorePort's `Context` fits. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sent as `X-Request-Id` when it is visible ASCII, so that one id runs through the logs of both sides. */
  readonly requestId?: string | undefined
  /** Sent with a POST as `Idempotency-Key`: a server that honours it counts the click once. 1–255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined
  /** Sends this call to the test store of the shop. */
  readonly testMode?: boolean | undefined
}

/** What a method takes: what the endpoint accepts on the wire, so fields with a default may be left out. */
export type ClientInput<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['input']>

/** What a method answers; what cannot be found is a StoreError, never `null`. */
export type ClientOutput<Name extends EndpointName> = Exclude<Awaited<ReturnType<CompleteStorePort[Name]>>, null>

type ClientMethods = {
  readonly [Name in EndpointName]: (input: ClientInput<Name>, call?: CallOptions) => Promise<ClientOutput<Name>>
}

/** A shop behind HTTP: one method for each endpoint, each throwing StoreError; a CompleteStorePort. */
export type Client = ClientMethods & {
  /** Whether the shop honours `Idempotency-Key`, as the option of that name says. */
  readonly honoursIdempotencyKey: NonNullable<StorePort['honoursIdempotencyKey']>
}
