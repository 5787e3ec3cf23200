import type { EndpointName, ErrorCode, Names } from '@storeport/core'
import type { Capability, RawConnection } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import type { RequirementId } from './requirement.ts'
import type * as z from 'zod/mini'

/**
 * Effect of a check on a shop.
 *
 * `read-only`: changes nothing if the shop conforms. A read-only run skips checks that need requests other than GET, HEAD and OPTIONS.
 * `write`: changes data of test customers. `stress`: sends concurrent or slow requests, limited in number.
 */
export type CheckMode = 'read-only' | 'write' | 'stress'

/**
 * Where a check runs.
 *
 * `wire`: on every mount, since a defect of an adapter, the transport or the pipeline can make the check fail.
 * `shop`: once for each store, since the check verifies the meaning of an operation.
 *
 * The wire layer contains one successful request for each operation, which verifies the route, the fields and the response.
 * It cannot detect defects that depend on other data, many orders, two processes for one customer, or the time zone.
 * To detect such defects on a mount, run all checks on the mount.
 */
export type CheckLayer = 'wire' | 'shop'

/** A test of an implementation that uses only its API. */
export interface Check {
  /** `<endpoint or topic>.<sentence-in-kebab-case>`; stable. */
  readonly id: string
  /** The expected behavior, in one sentence. */
  readonly title: string
  /** The requirements that the check tests. A failure without a specific requirement refers to the first requirement. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Effect of the check on a shop. */
  readonly mode: CheckMode
  /** Whether the check can fail on every mount, or only because of the shop. */
  readonly layer: CheckLayer
  /** The endpoints that the shop must offer. */
  readonly needs: readonly EndpointName[]
  /** Runs only if the shop lacks one of these endpoints. Otherwise, stricter checks replace the check. */
  readonly without?: readonly EndpointName[]
  /** The capabilities of the transport that the check requires. */
  readonly requires?: readonly Capability[]
  /** Resolves if the requirements hold. Rejects with CheckFailure or CheckSkip. */
  run(t: CheckContext): Promise<void>
}

/** Properties that the checks of a topic share. */
export type Common = Pick<Check, 'mode' | 'layer' | 'needs' | 'requires'>

/** Properties of most wire checks: the checks change nothing and need no specific endpoint. */
export const onTheWire: Common = { mode: 'read-only', layer: 'wire', needs: [] }

/** Properties of checks that change the data of a customer. */
export const onceInAShop: Common = { mode: 'write', layer: 'shop', needs: [] }

/** Checks by id, with the properties that differ from the shared properties. */
type Rows = Readonly<Record<string, Omit<Check, 'id' | keyof Common> & Partial<Common>>>

/** Creates the checks of a topic. */
export function define(common: Common, rows: Rows): readonly Check[] {
  return Object.entries(rows).map(([id, row]) => ({ id, ...common, ...row }))
}

/** Creates the checks of each endpoint. Each of these checks needs the endpoint. */
export function defineEach(
  names: readonly EndpointName[],
  common: Common,
  rowsOf: (name: EndpointName) => Rows,
): readonly Check[] {
  return names.flatMap((name) => define({ ...common, needs: [name] }, rowsOf(name)))
}

/** A request by path, sent unchanged. */
export interface RawRequest {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path, sent unchanged. */
  readonly path: string
  /** Value of the API key header; several values for a repeated header, `null` for no header. Defaults to the configured key. */
  readonly key?: string | readonly string[] | null
  /** Additional headers. No other headers are added. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body, sent unchanged, in one piece or in chunks. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** Options of a request to an endpoint by name. */
export interface CallOptions {
  /** Value of the API key header; defaults to the configured key. */
  readonly key?: RawRequest['key']
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** One of several concurrent requests. */
export interface ConcurrentCall {
  /** The endpoint, with the method POST. */
  readonly name: EndpointName
  /** The body. */
  readonly input: Readonly<Record<string, unknown>>
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The subject of an expectation: a response, or a requirement that is not the first of the check. */
export type About = Reply | RequirementId | undefined

/** The API client, the profile and the expectations of a check. */
export interface CheckContext {
  /** Test customers, products, codes and actions. */
  readonly profile: Profile
  /** Path prefix and header names. */
  readonly names: Names
  /** The configured API key. */
  readonly apiKey: string
  /** A second valid API key. */
  readonly secondApiKey: string | undefined
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** Whether dates far in the future are allowed, because the test data is reset or disposable. */
  readonly farDates: boolean
  /** The shop's date when the check began, `YYYY-MM-DD`. */
  readonly today: string

  /** Sends a request to an endpoint, with the input as query or JSON body. */
  call(name: EndpointName, input?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Reply>
  /** Returns whether the mode of the run allows requests with this method. */
  maySend(method: string): boolean
  /** Sends a request unchanged. */
  send(request: RawRequest): Promise<Reply>

  /** Sends requests concurrently, over open connections if supported. The responses are in the same order as the requests. */
  concurrently(calls: readonly ConcurrentCall[]): Promise<readonly Reply[]>
  /** Whether raw connections can be opened. */
  readonly hasConnections: boolean
  /** Opens a raw connection. It is closed at the end of the check. */
  connect(): Promise<RawCaller>

  /** Expects the success response of an action or a read. */
  accepted(reply: Reply, requirement?: RequirementId): void
  /** Expects data that matches a schema and returns it. Reports `types` for a wrong type and `required` for a missing field. */
  data<Data>(reply: Reply, schema: z.ZodMiniType<Data>, types: RequirementId, required?: RequirementId): Data
  /**
   * Expects an error response; reports `requirement` if the request succeeded.
   *
   * A wrong status or code is reported after all other expectations, and the check continues.
   */
  rejected(reply: Reply, code: ErrorCode, requirement?: RequirementId): void
  /** Expects the error body with any status and code. */
  errorBody(reply: Reply, requirement?: RequirementId): void
  /** Expects a status. */
  status(reply: Reply, expected: number, requirement?: RequirementId): void
  /** Expects two values to be deeply equal. `what` is their name in the report. */
  equal(received: unknown, expected: unknown, what: string, ...about: readonly About[]): void
  /** Expects a condition. `expected` describes the condition in the report. */
  ok(holds: boolean, expected: string, ...about: readonly About[]): void
  /** Expects a secondary condition. The failure is reported only if all other expectations hold. */
  secondary(holds: boolean, expected: string, reply: Reply, requirement: RequirementId): void

  /** Skips the check because the environment lacks something. */
  skip(reason: string): never
  /** Skips the check because earlier requests used up the data. On a fresh shop, the check fails. */
  skipUsed(reason: string): never
  /** Returns a value of the profile, or skips the check if the value is missing. `where` is the path in the profile. */
  need<Value>(value: Value | undefined, where: string): Value
}

/** A raw HTTP request. `Host` and the API key are added unless `headers` contains them. */
export interface RawMessage {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path. */
  readonly path: string
  /** Replaces the path in the request line. */
  readonly target?: (path: string, host: string) => string
  /** Header lines, sent unchanged after `Host` and the key. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body, sent unchanged and without `Content-Length`. */
  readonly body?: string | Uint8Array
  /** Whether to omit `Host`. */
  readonly withoutHost?: boolean
}

/** A raw connection, for requests that no HTTP client would send. */
export interface RawCaller extends Pick<RawConnection, 'write' | 'end' | 'destroy' | 'closed'> {
  /** Writes a complete or partial request. */
  request(message: RawMessage): void
  /** Returns the next response; `undefined` if the connection was closed first. */
  reply(): Promise<Reply | undefined>
}
