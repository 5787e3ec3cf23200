import type { World } from './world.ts'

/** A request, as observed by its caller and by the shop. */
export interface Request {
  readonly name: string
  readonly customer: string
  /** Identifies the click: endpoint, product, customer and idempotency key. */
  readonly click: string
  readonly key: string | undefined
  readonly endpoint: string
  readonly windowMs: number
  hasLeft: boolean
}

/** A point in the real order of events. `lowest` is the lowest storage time after the clock was set back. */
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
  /** 200 or an error code. */
  code?: string
  /** Whether a fault may have delayed or prevented the recording of its outcome. */
  isDisturbed?: boolean
  reconciled?: Moment
}

/** One call of the store. */
export interface Attempt {
  readonly request: Request
  readonly key: string
  /** Call of the method, or the transaction of a transactional store. */
  started: Moment
  readonly arrived: Moment
  /** Time of the change. Missing if the attempt had no effect. */
  applied?: Moment
  /** Time at which the guard received the success, from the method or from `reconcile`. */
  known?: Moment
  /** Remaining ledger writes by request, after that request received the success. */
  readonly pendingWrites: Map<Request, number>
  /** Whether the ledger has recorded the success. */
  isSettled?: boolean
  /** Whether a caller was still waiting when the guard received the success. */
  isPrompt?: boolean
  /** Whether its own caller was still waiting when the store responded. */
  isAnswered?: boolean
  /** Whether the store has returned a success. */
  hasSucceeded?: boolean
  /** Whether the attempt can no longer be applied: the store rejected it, or `reconcile` has fenced it. */
  isOver?: boolean
  /** Whether `reconcile` has returned `not_applied`, which removes the attempt from its instance. */
  isDenied?: boolean
  /** Whether a `reconcile` without fencing missed it. */
  isOverlooked?: boolean
  /** Whether it belongs to a documented exception. Later changes are not compared with it. */
  isExcepted?: boolean
  /** Whether a clock step expired its lease before it called the store, so that `reconcile` could not fence it. */
  wasOvertaken?: boolean
}

export interface OracleSettings {
  readonly timeoutMs: number
  /** Whether no change can be applied after `reconcile` returns `not_applied`. */
  readonly isFencing: boolean
  /** Whether the store stores clicks in its transactions. An unnamed click then loses its platform key in a rollback. */
  readonly isTransactional: boolean
  /** Whether the loss of the ledger can duplicate the click, because neither `reconcile` nor the platform protects it. */
  readonly losesClicks: (request: Request) => boolean
}

/** Observations of the callers and the shop in a schedule. */
export interface History {
  readonly world: World
  readonly settings: OracleSettings
  readonly records: Map<Request, RequestRecord>
  readonly attempts: Attempt[]
  /** Whether the ledger has lost data. */
  hasForgotten: boolean
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
