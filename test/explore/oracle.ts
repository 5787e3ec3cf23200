import type { Case } from './cases.ts'
import {
  attemptOf,
  dayMs,
  type Effect,
  isSameClick,
  leaseMs,
  type Request,
  respond,
  tickMs,
  windowMs,
  type World,
} from './world.ts'

/*
 * The oracle counts effects against the real order, the real clock and the responses that the customer has seen. It knows
 * nothing of the document.
 */

/** The window of a request, in milliseconds. */
export function windowOf({ windows }: Case, { named, click }: Request): number {
  return named === undefined ? (windows?.[click] ?? windowMs) : dayMs
}

interface Suspect {
  readonly world: World
  readonly explored: Case
  readonly earlier: Effect
  readonly request: Request
}

/** A result that the protocol accepts, although a click counts twice or a new click is swallowed. */
interface Excuse {
  readonly name: string
  readonly of: 'counts twice' | 'is swallowed' | 'ignores a change'
  applies(suspect: Suspect): boolean
}

/**
 * All accepted results, the narrowest excuse first. The report prints a schedule for each. The guide names the same rows
 * in "What remains".
 */
export const excuses: readonly Excuse[] = [
  {
    name: 'the effect of an unknown outcome counts as later than it was',
    of: 'counts twice',
    applies: ({ world, earlier, request }) =>
      request.named === undefined &&
      isAfterReport(earlier, request) &&
      othersOf(world, earlier).some(
        ({ known = 0, reported = 0 }) =>
          (reported > (earlier.reported ?? 0) && reported < request.arrived) || known > (earlier.known ?? 0),
      ),
  },
  {
    name: 'window 0: a repeat after a lost response runs again',
    of: 'counts twice',
    applies: ({ explored, earlier, request }) =>
      windowOf(explored, request) === 0 && (earlier.known ?? Infinity) < request.arrived,
  },
  {
    name: 'a lease ended while its method ran: the order of the claims counts',
    of: 'counts twice',
    applies: ({ world, earlier, request }) =>
      request.named === undefined &&
      isAfterReport(earlier, request) &&
      earlier.hasLapsed &&
      othersOf(world, earlier).some(({ claimed }) => claimed > earlier.claimed),
  },
  {
    name: 'the ledger lost its data',
    of: 'counts twice',
    applies: ({ world, earlier, request }) => (world.emptied ?? 0) > Math.min(earlier.claimed, request.claimed),
  },
  {
    name: 'the clock jumped forward: a lease or a window ended early',
    of: 'counts twice',
    applies: ({ world, earlier }) => (world.setForward ?? 0) > earlier.claimed,
  },
  {
    name: 'reconcile without a fence: an earlier attempt took effect later',
    of: 'counts twice',
    applies: ({ world, explored, earlier, request }) =>
      explored.kind === 'reconciles' &&
      (earlier.isFenced ||
        world.fenced.includes(attemptOf(request)) ||
        world.effects.some((other) => other !== earlier && other.key === earlier.key) ||
        world.effects.some(({ key, who }) => key === request.key && who === request.who)),
  },
  {
    name: 'the answer of a COMMIT was lost, and another change and the repeat came before the process noticed',
    of: 'counts twice',
    applies: ({ earlier, request }) => earlier.lostCommit === true && (earlier.noticed ?? Infinity) > request.arrived,
  },
  {
    name: 'a crash between the stored success and its response, and a repeat after the window or another change',
    of: 'counts twice',
    applies: ({ world, explored, earlier, request }) =>
      earlier.isCrashed === true &&
      (othersOf(world, earlier).some(({ known = 0 }) => known > (earlier.known ?? 0)) ||
        request.arrivedAt - earlier.began >= windowOf(explored, request)),
  },
  {
    name: 'the clock was set back: a window lasts up to twice as long',
    of: 'is swallowed',
    applies: ({ world, explored, earlier, request }) =>
      world.setBack !== undefined &&
      world.now - (earlier.reportedAt ?? Infinity) < 3 * windowOf(explored, request) + 9 * leaseMs,
  },
  {
    name: 'a repeat of an unknown outcome gets its success, although another change came between',
    of: 'ignores a change',
    applies: () => true,
  },
]

/** Lets the method of a request take effect. Returns false if its platform or its fence rejects the attempt. */
export function takeEffect(explored: Case, world: World, request: Request): boolean {
  const { kind, late = 0 } = explored
  const attempt = attemptOf(request)
  const isFenced = world.fenced.includes(attempt)
  if (kind === 'fences' && isFenced) return false
  const twin = world.effects.findIndex(({ key, who }) => key === request.key && who === request.who)
  if ((kind === 'honors' || kind === 'continues') && twin >= 0) {
    request.effect = twin
    return true
  }
  for (const earlier of world.effects) {
    if (!isSameClick(earlier, request)) continue
    const isReported = isAfterReport(earlier, request)
    const isOver =
      earlier.reportedAt !== undefined &&
      request.arrivedAt - earlier.reportedAt >= windowOf(explored, request) - 4 * tickMs - late
    const isBetween =
      request.named === undefined &&
      isReported &&
      othersOf(world, earlier).some(({ claimed }) => claimed > (earlier.known ?? Infinity))
    if (isOver || isBetween || world.now - Math.min(earlier.began, request.arrivedAt) >= dayMs) continue
    suspect({ world, explored, earlier, request }, 'counts twice')
  }
  const { id, click, named, who, key, claimed, arrivedAt: began } = request
  const effect = { id, click, who, attempt, key, began, order: (world.order += 1), claimed }
  const name = named === undefined ? {} : { named }
  request.effect = world.effects.push({ ...effect, ...name, hasLapsed: request.epoch === -1, isFenced }) - 1
  return true
}

/** Stores the own rows of a change that a platform has made (`continues`). */
export function storeRows(explored: Case, world: World, request: Request): void {
  const { effect: index = -1 } = request
  const earlier = world.effects[index]
  if (earlier === undefined) return
  // After a day, an equal name is a new click.
  if (world.rows.includes(index) && world.now - earlier.began < dayMs)
    suspect({ world, explored, earlier, request }, 'counts twice', 'stores its rows twice')
  world.rows.push(index)
}

/** Records a failure, unless an excuse applies. */
function suspect(found: Suspect, of: Excuse['of'], what: string = of): void {
  const { world, earlier, request } = found
  const excuse = excuses.find((each) => each.of === of && each.applies(found))
  if (excuse === undefined) world.failure ??= `${request.id} ${what} after ${earlier.id}`
  else if (!world.excuses.includes(excuse.name)) world.excuses.push(excuse.name)
}

/** Records that a process has stored or found the success of an effect. */
export function recordKnown(world: World, index: number | undefined): void {
  const effect = index === undefined ? undefined : world.effects[index]
  if (effect !== undefined) effect.known ??= world.order += 1
}

/** Answers a request with a success. Without `index`, the response is a replay of an earlier effect. */
export function succeed(explored: Case, world: World, request: Request, index?: number): void {
  const isReplay = index === undefined
  const effect = isReplay ? world.effects.findLast((each) => isSameClick(each, request)) : world.effects[index]
  if (effect === undefined) {
    world.failure ??= `${request.id} is swallowed`
    return respond(world, request, '200')
  }
  if (isReplay && request.named === undefined && isAfterReport(effect, request)) {
    const lost = swallowed(explored, world, effect, request)
    if (lost !== undefined)
      suspect({ world, explored, earlier: effect, request }, 'is swallowed', `is swallowed by ${lost}`)
  }
  if (!isReplay && request.named === undefined && effect.id !== request.id)
    if (
      othersOf(world, effect).some(
        ({ order, reported = Infinity }) => order > effect.order && reported < request.arrived,
      )
    )
      suspect({ world, explored, earlier: effect, request }, 'ignores a change')
  recordKnown(world, world.effects.indexOf(effect))
  const isFirst = request.code === undefined
  respond(world, request, '200')
  if (!isFirst) return
  effect.reported ??= request.responded
  effect.reportedAt ??= request.respondedAt
}

/** Returns why a replay swallows a new click; `undefined` for a repeat. */
function swallowed(explored: Case, world: World, effect: Effect, request: Request): string | undefined {
  const { reported = Infinity, reportedAt = Infinity } = effect
  const between = othersOf(world, effect).filter(({ claimed, order }) => claimed > reported && order < request.arrived)
  const window = windowOf(explored, request)
  if (between.some(({ known, reported: told = Infinity }) => known !== undefined && told < request.arrived))
    return 'another change'
  if (between.some(({ known }) => known === undefined)) return 'an unknown change'
  return request.arrivedAt - reportedAt > window + 2 * tickMs ? 'the window' : undefined
}

function isAfterReport({ reported = Infinity }: Effect, request: Request): boolean {
  return reported < request.arrived
}

/** Effects of other clicks of the same customer. */
function othersOf({ effects }: World, { who, click }: Effect): readonly Effect[] {
  return effects.filter((other) => other.who === who && other.click !== click)
}
