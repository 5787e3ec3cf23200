import type { EndpointName } from '@storeport/core'
import type { Capability } from '../http/plain-http.ts'
import type { CheckContext } from './check-context.ts'
import type { RequirementId } from './requirement.ts'

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
