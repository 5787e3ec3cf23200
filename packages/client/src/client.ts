import type { CompleteStorePort, endpoints, EndpointName } from '@storeport/core'
import type * as z from 'zod/mini'

/** What may be said about a call beside its input; a StorePort's `Context` fits. */
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
  readonly honoursIdempotencyKey: boolean
}
