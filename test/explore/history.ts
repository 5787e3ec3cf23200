import type { Request, World } from './world.ts'

/**
 * A point in the real sequence of events. `lowest` is the lowest time of the storage's clock at or after this point.
 */
export interface Moment {
  readonly order: number
  readonly now: number
  readonly clock: number
  lowest: number
}

export interface RequestRecord {
  readonly request: Request
  readonly arrived: Moment
  readonly attempts: Attempt[]
  responded?: Moment
  /** Result for the caller: `200`, an error code, or `disconnected`. */
  code?: string
  /** Whether a fault may have delayed or prevented the recording of the request's outcome. */
  isDisturbed?: boolean
  reconciled?: Moment
}

/** One call to the store. */
export interface Attempt {
  readonly request: Request
  readonly key: string
  /** Start of the method call, or of the transaction in a transactional store. */
  started: Moment
  readonly arrived: Moment
  /** Time of the change. Missing if the attempt had no effect. */
  applied?: Moment
  /** Time at which the guard received the success, from the method or from `reconcile`. */
  known?: Moment
  /** Number of remaining ledger writes, by request that received the success. */
  readonly pendingWrites: Map<Request, number>
  /** Whether the ledger has recorded the success. */
  isSettled?: boolean
  /** Whether a caller was still waiting when the guard received the success. */
  isPrompt?: boolean
  /** Whether the caller of this attempt was still waiting when the store responded. */
  isAnswered?: boolean
  /** Whether the store has returned a success. */
  hasSucceeded?: boolean
  /** Whether the attempt can no longer be applied, because the store rejected the attempt or `reconcile` fenced it. */
  isOver?: boolean
  /**
   * Whether `reconcile` has returned `not_applied`. The next attempt of an unnamed click can then have a new platform
   * key.
   */
  isDenied?: boolean
  /** Whether `reconcile` returned `not_applied` without fencing the attempt, which can therefore still be applied. */
  isOverlooked?: boolean
  /**
   * Whether a documented exception covers the attempt. The oracle then does not compare later changes with the attempt.
   */
  isExcepted?: boolean
  /** Whether a clock step expired the lease before the call to the store, so `reconcile` did not fence the attempt. */
  wasOvertaken?: boolean
}

export interface OracleSettings {
  readonly timeoutMs: number
  /** Whether `not_applied` from `reconcile` guarantees that no earlier attempt is applied later. */
  readonly isFencing: boolean
  /**
   * Whether the store saves clicks in its transactions. A rollback then deletes the platform key of an unnamed click.
   */
  readonly isTransactional: boolean
  /**
   * Whether the store commits the success of a click together with its change. The commit can follow an error response.
   */
  readonly commitsClicks: boolean
  /** Whether a ledger loss can duplicate the change, because neither `reconcile` nor the platform prevents a repeat. */
  readonly losesClicks: (request: Request) => boolean
}

/** Requests and attempts of a schedule, as observed by the callers and the shop. */
export interface History {
  readonly world: World
  readonly settings: OracleSettings
  readonly records: Map<Request, RequestRecord>
  readonly attempts: Attempt[]
  /** Whether the ledger has lost data. */
  hasLostData: boolean
}

/** Returns the attempts that applied the change of a click. */
export function appliedOf({ attempts }: History, click: string): readonly Attempt[] {
  return attempts.filter(({ request, applied }) => request.click === click && applied !== undefined)
}

export function recordOf({ records }: History, request: Request): RequestRecord {
  const record = records.get(request)
  if (record === undefined) throw new Error(`${request.name} has not arrived.`)
  return record
}
