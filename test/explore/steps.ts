import type { Case } from './cases.ts'
import { recordKnown, storeRows, succeed, takeEffect, windowOf } from './oracle.ts'
import type { Protocol } from './protocol.ts'
import {
  attemptOf,
  derivedKeyOf,
  hasEnded,
  hourMs,
  isSameClick,
  leaseMs,
  readDocument,
  type Request,
  respond,
  retainMs,
  storageClock,
  tickMs,
  update,
  windowMs,
  type World,
  writeDocument,
} from './world.ts'

/** One possible next event of a schedule. `faults` counts toward the maximum number of faults. */
export interface Step {
  readonly name: string
  readonly faults: number
  run(world: World): void
}

type Attempt = Parameters<Protocol['claim']>[1]
type Outcome = Parameters<Protocol['settle']>[2]
type RequestRun = (world: World, request: Request) => void
/** A possible next event of a request: its name, its number of faults, and its effect. */
type RequestStep = readonly [name: string, faults: number, run: RequestRun]
type Fault = 'loses COMMIT' | 'runs again' | 'rolls back' | 'crashes'

const clockStep = (name: string, run: Step['run']): Step => ({ name, faults: 0, run })
const step = (...one: RequestStep): RequestStep => one

/**
 * Models the guard and the stores of a case: which events are possible, and how each event calls the functions of the
 * protocol.
 */
export function createSteps(protocol: Protocol, explored: Case) {
  const { kind, after, late = 0 } = explored
  const { claim, settle, renew } = protocol

  function pendingOf(world: World, request: Request, isClaimed = false): Attempt {
    const { click, named, key, arrivedAt } = request
    return {
      name: named ?? '',
      body: click,
      id: attemptOf(request),
      key,
      windowMs: windowOf(explored, request),
      leaseMs,
      retainMs,
      waitedMs: world.now - arrivedAt + late,
      canReconcile: kind === 'fences' || kind === 'reconciles',
      repeatableMs: kind === 'honors' || kind === 'transactional' || kind === 'continues' ? Infinity : 0,
      isClaimed,
    }
  }

  function settleAs(world: World, request: Request, outcome: Outcome): void {
    const pending = pendingOf(world, request)
    update(world, request.who, (stored, now) => settle(stored, pending, outcome, now))
  }

  /** Settles a success. A request that has ended with 504 was not told. */
  function settleSuccess(world: World, request: Request): void {
    world.now += tickMs
    settleAs(world, request, request.code === undefined ? 'succeeded' : 'unreported')
    recordKnown(world, request.effect)
  }

  function fail(world: World, request: Request, outcome: Outcome): void {
    settleAs(world, request, outcome)
    respond(world, request, outcome === 'rejected' ? '400' : '502')
  }

  function claimClick(world: World, request: Request): void {
    world.now += tickMs
    const found = update(world, request.who, (stored, now) => claim(stored, pendingOf(world, request), now))
    if (found.state === 'claimed' || found.state === 'reconcile') {
      request.key = found.key
      request.point = found.state === 'claimed' ? 'run' : 'reconcile'
      if (found.state === 'claimed') request.claimed = world.order += 1
    } else if (found.state === 'running' || found.state === 'busy') {
      request.point = 'wait'
      request.epoch = world.epoch
    } else if (found.state === 'replayed' || found.state === 'done') succeed(explored, world, request, request.effect)
    else respond(world, request, found.state === 'reused' ? '422' : '503')
  }

  /** Runs the transaction of a change or of its own rows. A rolled back transaction leaves no trace. */
  function runTransaction(world: World, request: Request, fault?: Fault): void {
    world.now += tickMs
    const isClaimed = kind === 'continues'
    const { documents, effects, rows, excuses, versions, epoch, failure } = structuredClone(world)
    const { effect } = request
    const pending = pendingOf(world, request, isClaimed)
    const found = update(world, request.who, (stored, now) => claim(stored, pending, now))
    if (found.state === 'done') {
      const own = world.effects[request.effect ?? -1]
      if (own?.lostCommit) own.noticed ??= world.order += 1
      if (request.code !== undefined) settleAs(world, request, 'unreported')
      return succeed(explored, world, request, request.effect)
    }
    if (found.state !== 'claimed') {
      if (isClaimed) return fail(world, request, 'unknown')
      if (found.state === 'replayed') return succeed(explored, world, request)
      return respond(world, request, found.state === 'reused' ? '422' : '503')
    }
    request.key = found.key
    if (!isClaimed) request.claimed = world.order += 1
    if (!isClaimed) takeEffect(explored, world, request)
    else storeRows(explored, world, request)
    settleSuccess(world, request)
    const own = world.effects[request.effect ?? -1]
    if (fault === 'rolls back') {
      Object.assign(world, { documents, effects, rows, excuses, versions, epoch, failure })
      if (!isClaimed) {
        if (effect === undefined) delete request.effect
        else request.effect = effect
      }
      return fail(world, request, 'unknown')
    }
    if (fault === 'runs again' || fault === 'loses COMMIT') {
      if (own !== undefined) own.lostCommit = true
      if (fault === 'runs again') request.runsAgain = true
      else request.point = 'lost commit'
    } else if (fault === 'crashes') {
      if (own !== undefined) own.isCrashed = true
      crash(request)
    } else if (request.code !== undefined) request.point = 'end'
    else succeed(explored, world, request, request.effect)
  }

  function crash(request: Request): void {
    request.code ??= 'none'
    request.point = 'gone'
  }

  /** Ends the response with 504. A marked method has no lease, so its guard stores the unknown outcome first. */
  function timeOut(world: World, request: Request): void {
    if (kind === 'transactional') settleAs(world, request, 'unknown')
    else update(world, request.who, (stored, now) => renew(stored, { id: attemptOf(request), leaseMs }, now))
    disconnect(world, request)
  }

  /** Ends the connection to the caller, which receives no response. */
  function disconnect(world: World, request: Request): void {
    request.code = 'none'
    request.responded = world.order += 1
    request.respondedAt = world.now
  }

  function reconcile(world: World, request: Request): void {
    const found = world.effects.findIndex(({ key, who }) => key === request.key && who === request.who)
    if (found >= 0) {
      request.effect = found
      settleSuccess(world, request)
      return succeed(explored, world, request, found)
    }
    for (const other of world.requests)
      if (other !== request && other.key === request.key && other.who === request.who && other.effect === undefined)
        world.fenced.push(attemptOf(other))
    request.point = 'start'
  }

  function start(world: World, request: Request): void {
    const own = { id: attemptOf(request), leaseMs }
    if (update(world, request.who, (stored, now) => renew(stored, own, now, true))) {
      request.point = 'run'
      request.claimed = world.order += 1
    } else {
      request.tries += 1
      request.key = derivedKeyOf(request)
      claimClick(world, request)
    }
  }

  function* stepsOf(world: World, request: Request): Generator<RequestStep> {
    const { point, code, runsAgain } = request
    const isTransaction = kind === 'transactional'
    if (point === 'new' && isNext(world, request))
      yield step('arrives', 0, (next, own) => {
        next.now += tickMs
        own.arrivedAt = next.now
        own.arrived = next.order += 1
        own.key = derivedKeyOf(own)
        own.point = isTransaction ? 'transaction' : 'claim'
        if (explored.claimsOnArrival && !isTransaction) claimClick(next, own)
      })
    if (point === 'claim') yield ['claims', 0, claimClick]
    if (point === 'claim' && explored.delaysClaims)
      yield step('loses the answer of its claim', 1, (next, own) => {
        const entry = readDocument(next, own.who)
        const decision = claim(entry?.document, pendingOf(next, own), storageClock(next))
        own.late = { decision, version: entry?.version ?? 0, isReleased: false }
        respond(next, own, '503')
        own.point = 'lost claim'
      })
    if (point === 'lost claim')
      yield step('is released', 0, (next, own) => {
        settleAs(next, own, 'released')
        own.point = 'end'
        if (own.late !== undefined) own.late.isReleased = true
      })
    if (request.late?.decision.document !== undefined)
      yield step('the delayed claim is written', 0, (next, own) => {
        const { late: delayed } = own
        delete own.late
        if (delayed === undefined || (readDocument(next, own.who)?.version ?? 0) !== delayed.version) return
        writeDocument(next, own.who, delayed.decision)
        if (delayed.isReleased) next.failure ??= `${own.id} is claimed after its release`
      })
    if (point === 'wait' && request.epoch !== world.epoch) yield ['claims again', 0, claimClick]
    if (point === 'wait') yield ['stops waiting', 1, (next, own) => respond(next, own, '503')]
    if (point === 'transaction') {
      yield ['commits', 0, (next, own) => runTransaction(next, own)]
      for (const fault of [
        'loses COMMIT',
        'rolls back',
        'crashes',
        ...(runsAgain ? [] : (['runs again'] as const)),
      ] as const)
        yield [fault, 1, (next, own) => runTransaction(next, own, fault)]
      if (kind === 'continues') yield ['crashes before the transaction', 1, (_, own) => crash(own)]
    }
    if (point === 'lost commit') {
      yield step('stores that its caller was not told', 0, (next, own) => {
        const lost = next.effects[own.effect ?? -1]
        if (lost !== undefined) lost.noticed ??= next.order += 1
        fail(next, own, 'unknown')
      })
      yield step('crashes before it stores that', 1, (next, own) => {
        const lost = next.effects[own.effect ?? -1]
        if (lost !== undefined) lost.isCrashed = true
        crash(own)
      })
    }
    if (point === 'reconcile') {
      yield ['reconciles', 0, reconcile]
      yield ['gets no result from reconcile', 1, (next, own) => fail(next, own, 'unknown')]
    }
    if (point === 'start') {
      yield ['starts', 0, start]
      yield step('loses the answer of its renewal', 1, (next, own) => {
        update(next, own.who, (stored, now) => renew(stored, { id: attemptOf(own), leaseMs }, now, true))
        settleAs(next, own, 'released')
        respond(next, own, '503')
      })
    }
    if (point === 'run') {
      yield step('takes effect', 0, (next, own) => {
        const isApplied = takeEffect(explored, next, own)
        own.point = !isApplied ? 'rejected' : kind === 'continues' ? 'transaction' : 'applied'
      })
      yield ['is rejected', 1, (_, own) => void (own.point = 'rejected')]
      yield step('loses its request, which may land later', 1, (next, own) => {
        fail(next, own, 'unknown')
        own.point = 'in flight'
      })
    }
    if (point === 'in flight' && kind !== 'continues')
      yield step('lands', 0, (next, own) => {
        takeEffect(explored, next, own)
        own.point = 'end'
      })
    if (point === 'applied') {
      yield step('settles', 0, (next, own) => {
        settleSuccess(next, own)
        succeed(explored, next, own, own.effect)
      })
      yield ['loses the response of the store', 1, (next, own) => fail(next, own, 'unknown')]
    }
    if (point === 'rejected') yield ['settles a rejection', 0, (next, own) => fail(next, own, 'rejected')]
    if (point === 'reconcile' || point === 'run' || point === 'applied') yield ['crashes', 1, (_, own) => crash(own)]
    if (code === undefined && (point === 'run' || point === 'transaction')) yield ['times out', 1, timeOut]
    if (code === undefined && point === 'transaction') yield ['loses its caller', 1, disconnect]
  }

  /** Whether a new request can arrive: its predecessors have ended, and no equal request is first in line. */
  function isNext(world: World, request: Request): boolean {
    const { requests } = world
    const predecessors = after[request.id] ?? []
    if (predecessors.some((id) => requests.find((each) => each.id === id)?.code === undefined)) return false
    const index = requests.indexOf(request)
    return !requests
      .slice(0, index)
      .some((each) => each.point === 'new' && isSameClick(each, request) && !after[each.id] && !after[request.id])
  }

  /** Whether a process works on a request, so that a lease can end while its method runs. */
  function holdsLease({ point }: Request): boolean {
    return (
      kind !== 'transactional' && ['run', 'reconcile', 'start', 'applied', 'rejected', 'transaction'].includes(point)
    )
  }

  /** Ends the waits before a lease ends, because no request waits for so long. A later request can still wait. */
  function endWaits(world: World): void {
    for (const request of world.requests) {
      if (request.point !== 'wait' && request.point !== 'claim') continue
      if (request.arrivedAt > world.written) request.arrivedAt += leaseMs
      else respond(world, request, '503')
    }
  }

  /** Records that the leases of running methods have ended. */
  function lapse(world: World): void {
    for (const effect of world.effects) if (effect.known === undefined) effect.hasLapsed = true
    for (const request of world.requests) if (holdsLease(request)) request.epoch = -1
    world.epoch += 1
  }

  function* clockSteps(world: World): Generator<Step> {
    const { requests, lapses, documents } = world
    for (const customer of lapses < 3 ? Object.keys(documents) : []) {
      const entry = readDocument(world, customer)
      if (entry === undefined || !JSON.stringify(entry.document).includes('"state":"running"')) continue
      const isFault = requests.some((request) => request.who === customer && holdsLease(request))
      const pass = (next: World) => {
        endWaits(next)
        next.now += leaseMs
        next.lapses += 1
        lapse(next)
      }
      yield { name: 'the lease ends', faults: isFault ? 1 : 0, run: pass }
    }
    const isCalm = !requests.some(({ point }) => ['claim', 'wait', 'transaction', 'lost commit'].includes(point))
    for (const ms of world.jumpsLeft > 0 && isCalm ? (explored.jumps ?? [windowMs]) : [])
      yield clockStep(`${ms} ms pass`, (next) => {
        next.now += ms
        next.jumpsLeft -= 1
        next.jumped += ms
        if (next.jumped >= leaseMs) lapse(next)
        if (next.jumped >= leaseMs && next.requests.some(holdsLease)) next.lapses += 1
        next.epoch += 1
      })
    for (const ms of world.clockStepsLeft > 0 ? [-hourMs, hourMs, -5000] : [])
      yield clockStep(`the clock is set by ${ms} ms`, (next) => {
        next.skew += ms
        next.clockStepsLeft -= 1
        next.order += 1
        if (ms < 0) next.setBack = next.order
        else next.setForward = next.order
        lapse(next)
      })
    if (explored.empties && world.emptied === undefined)
      yield clockStep('the ledger loses its data', (next) => {
        next.documents = {}
        next.emptied = next.order += 1
        next.epoch += 1
      })
  }

  return function* steps(world: World): Generator<Step> {
    for (const [index, request] of world.requests.entries())
      for (const [name, faults, run] of stepsOf(world, request))
        yield {
          name: `${request.id} ${name}`,
          faults,
          run: (next) => {
            const own = next.requests[index]
            if (own !== undefined) run(next, own)
          },
        }
    yield* clockSteps(world)
  }
}

/** Whether a schedule has ended although a request has not: no event is possible, and no lease can end. */
export function isStuck({ requests, lapses }: World): boolean {
  return lapses < 3 && requests.some((request) => !hasEnded(request) && !['new', 'in flight'].includes(request.point))
}
