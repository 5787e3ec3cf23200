type Decision<Result> = import('../../packages/core/src/contract/ledger.ts').Decision<Result>
type ClickDocument = import('../../packages/core/src/contract/ledger.ts').ClickDocument

/** Time between two events, longer than the accuracy of the protocol. */
export const tickMs = 3
export const leaseMs = 15_000
export const windowMs = 10_000
export const retainMs = 15_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Guarantees of a store about repeated changes. */
export type StoreKind =
  /** Guarantees nothing. */
  | 'plain'
  /** Its platform ignores a repeated key. */
  | 'honors'
  /** Has `reconcile`. After `not_applied`, an earlier attempt can never take effect. */
  | 'fences'
  /** Has `reconcile`. After `not_applied`, an earlier attempt can still take effect. */
  | 'reconciles'
  /** Stores each click in the transaction of its change. */
  | 'transactional'
  /** Its platform ignores a repeated key. It then stores the click in a transaction with its own rows. */
  | 'continues'

/** A request of a case. Requests with the same `click`, `named` and `who` are the same click. */
export interface Plan {
  readonly id: string
  readonly click: string
  readonly named?: string
  readonly who: string
}

/** Point of a request between its arrival and its end. */
export type Point =
  | 'new'
  | 'claim'
  | 'wait'
  | 'transaction'
  | 'lost commit'
  | 'lost claim'
  | 'reconcile'
  | 'start'
  | 'run'
  | 'in flight'
  | 'applied'
  | 'rejected'
  | 'gone'
  | 'end'

export interface Request extends Plan {
  point: Point
  tries: number
  arrivedAt: number
  arrived: number
  /** Version of the world when the request began to wait. */
  epoch: number
  /** Order of the claim of the attempt; 0 before a claim. */
  claimed: number
  key: string
  code?: string
  responded: number
  respondedAt: number
  /** Index of the effect of the attempt. */
  effect?: number
  runsAgain?: boolean
  /** A claim whose write is delayed. */
  late?: { readonly decision: Decision<unknown>; readonly version: number; isReleased: boolean }
}

/** A change that took effect, and what the customer has seen of it. Orders count all events of a schedule. */
export interface Effect extends Plan {
  readonly attempt: string
  readonly key: string
  /** Time of the arrival of its request. */
  readonly began: number
  readonly order: number
  readonly claimed: number
  /** Whether the lease had ended before the success was stored. */
  hasLapsed: boolean
  /** Whether it took effect although a store had fenced it. */
  readonly isFenced: boolean
  /** When a process recorded the effect. */
  known?: number
  /** When the first caller received the success. */
  reported?: number
  reportedAt?: number
  /** Whether the answer of its COMMIT was lost, and when the process noticed. */
  lostCommit?: boolean
  noticed?: number
  /** Whether its process crashed after it had stored the success. */
  isCrashed?: boolean
}

/** The state of a schedule. It is plain data, so that the explorer can copy and compare it. */
export interface World {
  now: number
  /** Difference between the clock of the storage and `now`. */
  skew: number
  order: number
  versions: number
  epoch: number
  /** Time of the last write. */
  written: number
  documents: Record<string, { document: ClickDocument; until: number; version: number }>
  requests: Request[]
  effects: Effect[]
  /** Effects whose own rows are stored (`continues`). */
  rows: number[]
  /** Attempts that a store has fenced. */
  fenced: string[]
  jumpsLeft: number
  /** Total time of the jumps. A lease may have ended if it is as long as a lease. */
  jumped: number
  clockStepsLeft: number
  lapses: number
  /** Orders of the events that excuse a second effect. */
  emptied?: number
  setBack?: number
  setForward?: number
  failure?: string
  excuses: string[]
}

export function storageClock(world: World): number {
  return world.now + world.skew
}

export function readDocument(world: World, customer: string) {
  const entry = world.documents[customer]
  return entry !== undefined && entry.until > storageClock(world) ? entry : undefined
}

/** Updates a document atomically, like a ledger. */
export function update<Result>(
  world: World,
  customer: string,
  decide: (stored: ClickDocument | undefined, now: number) => Decision<Result>,
): Result {
  const decision = decide(readDocument(world, customer)?.document, storageClock(world))
  writeDocument(world, customer, decision)
  return decision.result
}

export function writeDocument(world: World, customer: string, { document, until = 0 }: Decision<unknown>): void {
  if (document === undefined) return
  world.documents[customer] = { document: structuredClone(document), until, version: (world.versions += 1) }
  world.epoch += 1
  world.written = world.now
  if (JSON.stringify(document).split('"state":"running"').length > 2) world.failure ??= 'two clicks run'
}

export function isSameClick(one: Plan, other: Plan): boolean {
  return one.click === other.click && one.named === other.named && one.who === other.who
}

/** Whether a request has ended for its caller and its process. */
export function hasEnded({ point }: Request): boolean {
  return point === 'end' || point === 'gone'
}

export function respond(world: World, request: Request, code: string): void {
  if (request.code === undefined) {
    request.code = code
    world.now += tickMs
    request.responded = world.order += 1
    request.respondedAt = world.now
  }
  request.point = 'end'
}

/** Returns the id of the current attempt of a request. */
export function attemptOf({ id, tries }: Request): string {
  return `${id}.${tries}`
}

/** Returns the key of a named click; empty for an unnamed click. */
export function derivedKeyOf({ named, who, click }: Plan): string {
  return named === undefined ? '' : `${who}:${named}:${click}`
}
