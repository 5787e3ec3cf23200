import type { EndpointName, ErrorCode, Names } from '@storeport/core'
import type { Capability, RawConnection } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import type { Profile } from '../profile/profile.ts'
import type { RequirementId } from './requirement.ts'
import type * as z from 'zod/mini'

/**
 * What a check does to a shop.
 *
 * `read-only`: GETs, and calls that name no customer of the shop. `write`: changes what test customers have.
 * `stress`: sends many calls at once, or slow ones; bounded.
 */
export type CheckMode = 'read-only' | 'write' | 'stress'

/**
 * Where a check is made.
 *
 * `wire`: on every mount, since the adapter, the transport or the pipeline can break what it holds. `shop`: once for each store, since
 * it holds what an operation means. Of each operation one success is of the wire layer too: it shows that the route leads to that
 * operation, its fields arrive and its answer comes back.
 *
 * What the wire layer cannot see of a mount: a fault that shows only in data that these few calls do not hold (an empty list, an
 * optional field such as `one_time`, a code that only some state of the shop causes), only after many orders or with two processes
 * that write for one customer, or only in a date that the time zone of the process shifts. The whole suite on that mount sees these.
 */
export type CheckLayer = 'wire' | 'shop'

/** One thing to try on an implementation, by its API alone. */
export interface Check {
  /** `<endpoint or topic>.<sentence-in-kebab-case>`; stable. */
  readonly id: string
  /** What holds, in one sentence. */
  readonly title: string
  /** The requirements that it holds; a failure that names none of its own is about the first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** What it does to a shop. */
  readonly mode: CheckMode
  /** Whether every mount can break it, or the shop alone. */
  readonly layer: CheckLayer
  /** The endpoints that must be offered. */
  readonly needs: readonly EndpointName[]
  /** Made only where the shop lacks one of these endpoints: with them, other checks see more. */
  readonly without?: readonly EndpointName[]
  /** What it needs of the way to the server. */
  readonly requires?: readonly Capability[]
  /** Resolves when the requirements hold; rejects with CheckFailure or CheckSkip. */
  run(t: CheckContext): Promise<void>
}

/** What the checks of a topic have in common. */
export type Common = Pick<Check, 'mode' | 'layer' | 'needs' | 'requires'>

/** What most checks of the wire have in common: they change nothing, and need no endpoint in particular. */
export const onTheWire: Common = { mode: 'read-only', layer: 'wire', needs: [] }

/** What the checks of a customer have in common: they change something, and see what it means. */
export const onceInAShop: Common = { mode: 'write', layer: 'shop', needs: [] }

/** Checks by their ids; each says what it has not in common with the others. */
type Rows = Readonly<Record<string, Omit<Check, 'id' | keyof Common> & Partial<Common>>>

/** Makes the checks of a topic. */
export function define(common: Common, rows: Rows): readonly Check[] {
  return Object.entries(rows).map(([id, row]) => ({ id, ...common, ...row }))
}

/** Makes checks of each of these endpoints, which need that endpoint. */
export function defineEach(
  names: readonly EndpointName[],
  common: Common,
  rowsOf: (name: EndpointName) => Rows,
): readonly Check[] {
  return names.flatMap((name) => define({ ...common, needs: [name] }, rowsOf(name)))
}

/** A request by its path, everything as given. */
export interface RawRequest {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path, sent as it is. */
  readonly path: string
  /** Value of the API key header: several for a header sent several times, none for `null`; default the given key. */
  readonly key?: string | readonly string[] | null
  /** Further headers; nothing is added to them. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body, sent as it is: in one piece, or in pieces over time. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** What a call by the name of an endpoint may add. */
export interface CallOptions {
  /** Value of the API key header; default the given key. */
  readonly key?: RawRequest['key']
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** One of several calls that are sent at one moment. */
export interface TogetherCall {
  /** The endpoint, one that takes a body. */
  readonly name: EndpointName
  /** The body. */
  readonly input: Readonly<Record<string, unknown>>
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What an expectation is about: an answer, and a requirement where it is another than the first one of the check. */
export type About = Reply | RequirementId | undefined

/** What a check works with: the API, the profile, and what to expect. */
export interface CheckContext {
  /** Test customers, products, codes and actions. */
  readonly profile: Profile
  /** Path prefix and header names. */
  readonly names: Names
  /** The given API key. */
  readonly apiKey: string
  /** A second API key that is valid too. */
  readonly secondApiKey: string | undefined
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** Whether a date may lie far ahead: the test data is brought back, or thrown away. */
  readonly farDates: boolean
  /** The shop's date when the check began, `YYYY-MM-DD`. */
  readonly today: string

  /** Calls an endpoint: the input goes into the query or, as JSON, into the body. */
  call(name: EndpointName, input?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Reply>
  /** Sends a request as it is given. */
  send(request: RawRequest): Promise<Reply>

  /**
   * Sends calls at one moment, over connections that are open already where there are connections; the answers come in the
   * order of the calls.
   */
  together(calls: readonly TogetherCall[]): Promise<readonly Reply[]>
  /** Whether connections of its own can be opened. */
  readonly hasConnections: boolean
  /** Opens a connection of its own, on which anything can be written; closed when the check is over. */
  connect(): Promise<RawCaller>

  /** Expects the success of an action, `{"success": true}`, or of a read. */
  accepted(reply: Reply, requirement?: RequirementId): void
  /** Expects data of a form and returns it; `types` fails for a wrong type, `required` for a missing field. */
  data<Data>(reply: Reply, schema: z.ZodMiniType<Data>, types: RequirementId, required?: RequirementId): Data
  /**
   * Expects a refusal; `requirement` fails when the call went through.
   *
   * Another status or code than that of the table is reported when all else holds: the check goes on.
   */
  refused(reply: Reply, code: ErrorCode, requirement?: RequirementId): void
  /** Expects the error body, whatever its status and code. */
  errorBody(reply: Reply, requirement?: RequirementId): void
  /** Expects a status. */
  status(reply: Reply, expected: number, requirement?: RequirementId): void
  /** Expects two values to be deeply equal; `what` names them. */
  equal(received: unknown, expected: unknown, what: string, ...about: readonly About[]): void
  /** Expects something that only code can say; `expected` says it in words. */
  that(holds: boolean, expected: string, ...about: readonly About[]): void
  /** Expects something that is not the point of the check: a failure is reported when all else holds. */
  aside(holds: boolean, expected: string, reply: Reply, requirement: RequirementId): void

  /** Gives up because the surroundings lack something; the check counts as skipped. */
  skip(reason: string): never
  /** Gives up because earlier calls used up what the check needs: on a fresh server that is a failure. */
  spent(reason: string): never
  /** Returns what the profile names, or skips the check; `where` is the path in the profile. */
  need<Value>(value: Value | undefined, where: string): Value
}

/** A request that is written byte by byte; `Host` and the API key are sent with it unless `headers` names them. */
export interface RawMessage {
  /** HTTP method; default GET. */
  readonly method?: string
  /** Path and query below the base path. */
  readonly path: string
  /** What stands in the request line in place of that path. */
  readonly target?: (path: string, host: string) => string
  /** Header lines, as they are; `Host` and the key come first. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body, as it is: no length is sent with it. */
  readonly body?: string | Uint8Array
  /** Whether `Host` is left out. */
  readonly withoutHost?: boolean
}

/** A connection of a check, on which it writes what no HTTP client would. */
export interface RawCaller extends Pick<RawConnection, 'write' | 'end' | 'destroy' | 'closed'> {
  /** Writes a request, whole or in part. */
  request(message: RawMessage): void
  /** The next answer; `undefined` when the connection was closed without one. */
  reply(): Promise<Reply | undefined>
}
