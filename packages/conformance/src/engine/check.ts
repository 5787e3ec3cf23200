import type { EndpointName, ErrorCode, Names } from '@storeport/core'
import type { Capability, PlainRequest, RawConnection } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import type { RequirementId, Requirements } from './requirement.ts'
import type * as z from 'zod/mini'

/**
 * Effect of a check on a shop. `read-only`: changes nothing if the shop conforms, but may need a POST request. `write`:
 * changes data of test customers. `stress`: sends a limited number of concurrent or slow requests.
 */
export type CheckMode = 'read-only' | 'write' | 'stress'

/**
 * Layer of a check. `wire`: runs on every mount, since a defect in an adapter, the transport or the pipeline can make the
 * check fail. `shop`: runs once for each store, since the check verifies the effect of an operation.
 *
 * The wire layer cannot detect defects that depend on other data, many orders, two processes for one customer, or the time
 * zone. To detect such defects in a mount, run all checks on the mount.
 */
export type CheckLayer = 'wire' | 'shop'

/** A test of an implementation. A check uses only the API. */
export interface Check {
  /** Stable id: `<endpoint or topic>.<sentence-in-kebab-case>`. */
  readonly id: string
  /** The expected behavior, in one sentence. */
  readonly title: string
  /** The requirements that the check tests. A failure reports the first one, unless the expectation names another. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Effect of the check on a shop. */
  readonly mode: CheckMode
  /** Whether the check runs on every mount or once for each store. */
  readonly layer: CheckLayer
  /** The endpoints that the shop must offer. */
  readonly needs: readonly EndpointName[]
  /** The check runs only if the shop lacks one of these endpoints. Otherwise, stricter checks replace the check. */
  readonly without?: readonly EndpointName[]
  /** The capabilities of the transport that the check requires. */
  readonly requires?: readonly Capability[]
  /** Whether the check waits some seconds with `waitUntil`. */
  readonly isTimed?: boolean
  /** Whether the check sends random sequences. It compares all customers itself, and runs only on request. */
  readonly isExploration?: boolean
  /** Resolves if the requirements hold. Rejects with CheckFailure or CheckSkip. */
  run(t: CheckContext): Promise<void>
}

/** Properties that the checks of a topic share. */
export type Common = Pick<Check, 'mode' | 'layer' | 'needs' | 'requires'>

/** Properties of most wire checks, which change nothing and need no specific endpoint. */
export const onTheWire: Common = { mode: 'read-only', layer: 'wire', needs: [] }

/** Properties of checks that only read the data of a shop. */
export const readingAShop: Common = { mode: 'read-only', layer: 'shop', needs: [] }

/** Properties of checks that change the data of a customer. */
export const onceInAShop: Common = { mode: 'write', layer: 'shop', needs: [] }

/** A check without its id. The title defaults to the sentence of the first requirement. */
export type CheckRow = Pick<Check, 'requirements' | 'run'> & Partial<Omit<Check, 'id'>>

/** Creates a check without other properties. */
export function tests(requirements: Check['requirements'], run: Check['run']): CheckRow {
  return { requirements, run }
}

/** Checks by id. The properties of a check override the shared properties. */
type Rows = Readonly<Record<string, CheckRow>>

/** Creates the checks of a topic with these requirements. */
export function define(common: Common, requirements: Requirements, rows: Rows): readonly Check[] {
  return Object.entries(rows).map(([id, row]) => {
    const { sentence = '' } = requirements[row.requirements[0]] ?? {}
    return { id, title: sentence, ...common, ...row }
  })
}

/** Creates the same checks for several endpoints. Each check needs only its own endpoint by default. */
export function defineEach(
  names: readonly EndpointName[],
  common: Common,
  requirements: Requirements,
  rowsOf: (name: EndpointName) => Rows,
): readonly Check[] {
  return names.flatMap((name) =>
    define({ ...common, needs: [name] }, requirements, rowsOf(name)).map((check) => ({
      ...check,
      id: `${name}.${check.id}`,
      title: `${name}: ${check.title}`,
    })),
  )
}

/** A request to any path. No part of the request is changed before it is sent. */
export interface RawRequest {
  /** HTTP method; defaults to GET. */
  readonly method?: string
  /** Path and query after the base path, sent unchanged. */
  readonly path: string
  /** Whether the path is complete, so that the base path is not prepended. */
  readonly isOutside?: boolean
  /** Value of the API key header; defaults to the configured key. An array repeats the header, `null` omits it. */
  readonly key?: string | readonly string[] | null
  /** Further headers. `Content-Type` is not added automatically. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body. A string or a byte array is sent in one piece. An array or an iterable is sent in chunks. */
  readonly body?: string | NonNullable<PlainRequest['body']>
}

/** Options for a request to a named endpoint. */
export type CallOptions = Pick<RawRequest, 'key' | 'headers'>

/** The fields of the query or of the JSON body. */
export type Input = Readonly<Record<string, unknown>>

/** A request to a named endpoint. */
export interface NamedCall extends Pick<CallOptions, 'headers'> {
  readonly name: EndpointName
  readonly input: Input
}

/** Detail of a failed expectation: the response, or the requirement to report instead of the check's first one. */
export type About = Reply | RequirementId | undefined

/** Details of a failed expectation. */
export interface FailureDetails {
  /** The requirement that failed. */
  readonly requirement: RequirementId
  /** The expected value. */
  readonly expected: string
  /** The received value; defaults to a description of the response. */
  readonly received?: string
  /** The request and its response, without the API key. */
  readonly reply?: Reply | undefined
  /** The last requests of the check and their responses, oldest first, without the API key. */
  readonly calls?: readonly Reply[]
  /** Why the response is missing: an error code such as `ECONNREFUSED`, or `within 10000 ms` after a timeout. */
  readonly noAnswer?: string | undefined
  /** The requests that reproduce the failure, oldest first, without the API key. */
  readonly steps?: readonly Reply[] | undefined
  /** The likely cause; defaults to the cause of the requirement. */
  readonly cause?: string | undefined
  /** The expected value as data, from which the likely cause is derived. */
  readonly wanted?: Wanted | undefined
}

/** Expected response or value of a failed expectation. */
export interface Wanted {
  /** Status of the response. */
  readonly status?: number
  /** Error code of the response. */
  readonly code?: ErrorCode
  /** The part of the body that is missing or invalid. */
  readonly body?: 'object' | 'success' | 'data' | 'error'
  /** Path of an invalid field, such as `data.products.0.id`, and its rule, such as `must be a string`. */
  readonly field?: string
  readonly rule?: string
  /** The value that was expected, and the received value. */
  readonly equal?: readonly [expected: unknown, received: unknown]
}

/** Settings of random sequences. */
export interface Exploration {
  /** Seed of the sequences, a whole number. */
  readonly seed: number
  /** Maximum time for the search, in milliseconds. With the shrinking of a difference, at most twice this time. */
  readonly timeMs: number
}

/** The API client, the profile and the expectations of a check. */
export interface CheckContext {
  /** Test customers, products, codes and actions. */
  readonly profile: Profile
  /** Path prefix and header names. */
  readonly names: Names
  /** The configured API key. */
  readonly apiKey: string
  /** A second valid API key, if configured. */
  readonly secondApiKey: string | undefined
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** Whether the check may set dates far in the future, because the test data is reset or disposable. */
  readonly farDates: boolean
  /** The shop's date when the check began, `YYYY-MM-DD`. */
  readonly today: string

  /** Sends a request to an endpoint, with the input as the query string or JSON body. */
  call(name: EndpointName, input?: Input, options?: CallOptions): Promise<Reply>
  /** Returns whether the mode of the run allows requests with this method. */
  maySend(method: string): boolean
  /** Sends a request unchanged. */
  send(request: RawRequest): Promise<Reply>

  /**
   * Sends requests concurrently, each over its own open connection if the transport supports raw connections. Returns the
   * responses in the sequence of the requests. `offsetsMs` contains the delay of each request, in milliseconds.
   */
  concurrently(calls: readonly NamedCall[], offsetsMs?: readonly number[]): Promise<readonly Reply[]>
  /** Records a number of repeated clicks; defaults to 1. The report contains the total for each endpoint. */
  tried(name: EndpointName, times?: number): void
  /** Returns milliseconds of a monotonic clock. */
  now(): number
  /** Waits until a time of `now`. */
  waitUntil(at: number): Promise<void>
  /** Whether the transport supports raw connections. */
  readonly hasConnections: boolean
  /** Opens a raw connection, which is closed at the end of the check, and sends a first request. */
  connect(first?: RawMessage): Promise<RawCaller>

  /** Expects status 200 and `success: true`. */
  accepted(reply: Reply, requirement?: RequirementId): void
  /** Returns the data if it matches the schema. A wrong type fails `types`, and a missing field fails `required`. */
  data<Data>(reply: Reply, schema: z.ZodMiniType<Data>, types: RequirementId, required?: RequirementId): Data
  /**
   * Expects an error response. Fails `requirement` if the request succeeded. A different status or code is reported only
   * if all other expectations hold.
   */
  rejected(reply: Reply, code: ErrorCode, requirement?: RequirementId): void
  /** Expects a valid error body, with any status and code. */
  errorBody(reply: Reply, requirement?: RequirementId): void
  /** Expects a status. */
  status(reply: Reply, expected: number, requirement?: RequirementId): void
  /** Expects two values to be deeply equal. `what` names the compared value in the report. */
  equal(received: unknown, expected: unknown, what: string, ...about: readonly About[]): void
  /** Expects a condition. `expected` describes the condition in the report. */
  ok(holds: boolean, expected: string, ...about: readonly About[]): void
  /** Expects a condition of lower priority. The failure is reported only if all other expectations hold. */
  secondary(holds: boolean, expected: string, reply: Reply, requirement: RequirementId): void

  /** Fails the check. */
  fail(details: FailureDetails): never
  /** Settings of the random sequences; `undefined` for the default. */
  readonly explore: Exploration | undefined

  /** Skips the check because it cannot run with this shop, profile or environment. */
  skip(reason: string): never
  /**
   * Skips the check because earlier requests used up the test data, or fails on a fresh shop. The reason names the checks
   * whose requests to the endpoint `by` used up the data of this check's customers.
   */
  skipUsed(reason: string, by?: EndpointName): never
  /** Returns the value of the profile at the path `where`. Skips the check if the value is missing. */
  need<Value>(value: Value | undefined, where: string): Value
}

/** A raw HTTP request. `Host` and the API key are added unless `headers` contains them. */
export interface RawMessage {
  /** HTTP method; defaults to GET. */
  readonly method?: string
  /** Path and query after the base path. */
  readonly path: string
  /** Version of HTTP in the request line; defaults to 1.1. */
  readonly version?: '1.0' | '1.1'
  /** Returns the request target for the full path and the host; defaults to the full path. */
  readonly target?: (path: string, host: string) => string
  /** Header lines, sent unchanged after `Host` and the key. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body, sent unchanged. No `Content-Length` is added. */
  readonly body?: string | Uint8Array
  /** Whether to omit `Host`. */
  readonly withoutHost?: boolean
  /** Whether the request only opens the connection, so that a report does not print it. */
  readonly isWarmUp?: boolean
}

/** A raw connection, for requests that no HTTP client would send. */
export interface RawCaller extends Pick<RawConnection, 'write' | 'end' | 'destroy' | 'closed'> {
  /** Writes a complete or partial request. */
  request(message: RawMessage): void
  /** Returns the next response; `undefined` if the server closes the connection first. */
  reply(): Promise<Reply | undefined>
  /** Whether the last response announced that the server closes the connection. */
  isLast(): boolean
}
