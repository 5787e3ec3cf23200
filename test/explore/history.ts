import type { World } from './world.ts'

/** A request, as its caller and the shop see it. */
export interface Request {
  readonly name: string
  readonly customer: string
  /** What the request asks for, with its name: equal for the same click. */
  readonly click: string
  /** The `Idempotency-Key`. */
  readonly key: string | undefined
  readonly endpoint: string
  readonly windowMs: number
  hasLeft: boolean
}

/** A point of the real order, and the times at it; the lower one for a storage clock that was set back since. */
export interface Moment {
  readonly order: number
  readonly now: number
  readonly clock: number
  lowest: number
}

/** How a request went, from the outside. */
export interface Course {
  readonly request: Request
  readonly arrived: Moment
  readonly attempts: Attempt[]
  /** Where the response was written: 200 or an error code. */
  responded?: Moment
  code?: string
  /** Whether a fault may have made the ledger learn of its outcome late or never. */
  isDisturbed?: boolean
  /** Its last answer of `reconcile`. */
  reconciled?: Moment
}

/** One call of the store. */
export interface Attempt {
  readonly request: Request
  readonly key: string
  /** For a store that keeps its clicks: its transaction. */
  started: Moment
  readonly arrived: Moment
  /** When the change was made; a request without one has had no effect. */
  applied?: Moment
  /** When the guard got to know that the change was made: from the store, or from `reconcile`. */
  known?: Moment
  /** Writes to the ledger that a request still has to make, after it got to know that the change was made. */
  readonly toStore: Map<Request, number>
  /** Whether the ledger knows it. */
  isSettled?: boolean
  /** Whether its caller waited for it then. */
  isPrompt?: boolean
  /** Whether its own caller waited for the answer of the store. */
  isAnswered?: boolean
  /** Whether the store has answered that the change is made. */
  hasSucceeded?: boolean
  /** Whether the store has rejected it, or `reconcile` has said that it is not applied. */
  isOver?: boolean
  /** Whether `reconcile` has answered that it is not applied: it is no attempt of the instance any more. */
  isDenied?: boolean
  /** Whether a `reconcile` that does not fence overlooked it. */
  isOverlooked?: boolean
  /** Whether it is one of the two changes of a documented exception: later ones are not compared with it. */
  isExcepted?: boolean
  /** Whether the clock made its lease lapse before it called the store, and `reconcile` could not fence it. */
  isLeftBehind?: boolean
}

export interface OracleSettings {
  readonly timeoutMs: number
  /** Whether `reconcile` makes sure that nothing applies later. */
  readonly isFencing: boolean
  /** Whether a click without a name loses its platform key with a rollback. */
  readonly keeps: boolean
  /** Whether the ledger was emptied and neither `reconcile` nor the platform protects the click. */
  readonly losesClicks: (request: Request) => boolean
}

/** All that the callers and the shop have seen of a schedule. */
export interface History {
  readonly world: World
  readonly settings: OracleSettings
  readonly courses: Map<Request, Course>
  readonly attempts: Attempt[]
  /** Whether the ledger has lost clicks. */
  hasForgotten: boolean
}

/** The attempts that have made the change of a click. */
export function appliedOf({ attempts }: History, click: string): readonly Attempt[] {
  return attempts.filter(({ request, applied }) => request.click === click && applied !== undefined)
}

export function courseOf({ courses }: History, request: Request): Course {
  const course = courses.get(request)
  if (course === undefined) throw new Error(`${request.name} has not arrived.`)
  return course
}
