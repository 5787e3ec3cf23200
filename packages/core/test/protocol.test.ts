import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StoreError, type StoredClicks } from '@storeport/core'
import { PendingClick } from '../src/retries/pending-click.ts'
import type { Asked, Change, Claim, ClickNames, Held, Outcome } from '../src/retries/ledger.ts'
import {
  claimClick,
  dayMs,
  enterOrder,
  isOpen,
  renewLease,
  settleClick,
  startReconciled,
} from '../src/retries/protocol.ts'

/*
 * The click protocol, decision by decision. Decisions that need more than its pure functions are tested elsewhere:
 *
 * 1 to 4, identity                        click.test.ts and retries/clicks.test.ts
 * 8                                       retries/clicks.test.ts
 * 12, 14, 15, 17, 24 and 29               retries/unknown.test.ts, with the guard
 * 12, 18 to 20 and 34                     retries/time.test.ts
 * 23                                      retries/keeps-clicks.test.ts
 * 24, 25 and 28                           retries/ledger-faults.test.ts
 * 27, memory                              memory-ledger.test.ts
 * 30 and `scope`                          options.test.ts
 * 26 and 28, Redis                        packages/redis/test/redis-ledger.slow.test.ts
 * 28 and 31 to 34, SQL                    test/ledgers
 * 35, SQL                                 packages/store-sql/test/clicks
 * 36 to 39                                test/explore
 */

const windowMs = 10_000
const leaseMs = 35_000
const retainMs = 65_000
const minute = 60_000

const click = (fingerprint: string, changes: Partial<ClickNames> = {}): ClickNames => ({
  fingerprint,
  windowMs,
  ...changes,
})
const add = click('add')
const undo = click('undo')
const named = click('add', { name: 'name of the click', derivedKey: 'derived key', windowMs: dayMs })

const askedOf = (attempt: string, one: ClickNames, changes: Partial<Asked> = {}): Asked => ({
  click: one,
  attempt,
  leaseMs,
  retainMs,
  waitedMs: 0,
  canReconcile: false,
  repeatableMs: 0,
  isYoung: false,
  ...changes,
})
const honours = { repeatableMs: Infinity }
const reconciles = { canReconcile: true }

/** What a claim means for its request, in one word, or code and Retry-After. */
function wordOf(claim: Claim): string {
  return claim.state === 'stopped' ? `${claim.error.code} ${claim.error.retryAfter}` : claim.state
}

function heldBy(claim: Claim): Held {
  if (claim.state !== 'claimed' && claim.state !== 'reconcile') throw new Error(`not let in: ${wordOf(claim)}`)
  return claim.held
}

let attempts = 0

/** One document, as a ledger stores it, and the storage's clock. */
function document(clock = { now: 10 * dayMs }) {
  let stored: StoredClicks | undefined
  let until = Infinity
  let writes = 0
  let forgotten = 0
  function apply<Result>(change: (content: StoredClicks | undefined, now: number) => Change<Result>): Result {
    if (clock.now >= until) stored = undefined
    const { result, document: after, keepMs = 0, hasForgotten } = change(stored, clock.now)
    if (hasForgotten === true) forgotten += 1
    if (after === undefined) return result
    writes += 1
    stored = JSON.parse(JSON.stringify(after))
    until = clock.now + keepMs
    return result
  }
  const self = {
    clock,
    get stored() {
      return stored
    },
    get writes() {
      return writes
    },
    get forgotten() {
      return forgotten
    },
    forget: (content?: StoredClicks) => {
      stored = content
      until = Infinity
    },
    claim: (one: ClickNames, changes: Partial<Asked> = {}): Claim => {
      attempts += 1
      const asked = askedOf(`attempt ${attempts}`, one, changes)
      return apply((content, now) => claimClick(content, asked, now))
    },
    /** What a request gets, in a word. */
    ask: (one: ClickNames, changes: Partial<Asked> = {}) => wordOf(self.claim(one, changes)),
    /** Lets an attempt in. */
    begin: (one: ClickNames, changes: Partial<Asked> = {}): Held => heldBy(self.claim(one, changes)),
    /** Enters a named attempt in the order of the customer's changes. */
    enter: (held: Held, isReconciled = false): Held => {
      const entered = apply((content, now) => enterOrder(content, held, isReconciled, now))
      if (entered instanceof Error) throw entered
      return entered
    },
    start: (held: Held) => apply((content, now) => startReconciled(content, held, now)),
    settle: (held: Held, outcome: Outcome, isOrder = false) =>
      apply((content, now) => settleClick(content, held, outcome, now, isOrder)),
    renew: (held: Held) => apply((content, now) => renewLease(content, held, now)),
    /** Runs a click to its end. */
    run: (one: ClickNames, outcome: Outcome = 'succeeded', changes: Partial<Asked> = {}): Held => {
      const held = self.begin(one, changes)
      self.settle(held, outcome)
      return held
    },
    wait: (ms: number) => {
      clock.now += ms
    },
  }
  return self
}

describe('identity', () => {
  it('decision 2: a document of an unknown version is an error, and never free', () => {
    for (const content of [{ v: 2, instances: [] }, { v: 1 }, { v: 0, instances: [] }]) {
      const { forget, ask, settle, stored } = document()
      forget(content)
      expect(() => ask(add)).toThrow(expect.objectContaining({ code: 'store_unavailable', retryAfter: 30 }))
      const held = { ...askedOf('attempt', add), key: 'key', began: 1 }
      expect(() => settle(held, 'succeeded')).toThrow(StoreError)
      expect(stored).toBeUndefined()
    }
  })

  it('decision 3: a named and an unnamed request with the same input both run', () => {
    const customer = document()
    const gate = document()
    const held = gate.begin(named)
    const entry = customer.enter(held)
    expect(customer.ask(add)).toBe('claimed')
    customer.settle(entry, 'succeeded', true)
    gate.settle(held, 'succeeded')
    expect(customer.ask(add)).toBe('running')
    expect(gate.ask(click('add', { name: 'another name' }))).toBe('claimed')
  })

  it('decision 4: the attempts of an instance have one key, and a new instance has a new one', () => {
    const { begin, settle, wait } = document()
    const first = begin(add)
    settle(first, 'unknown')
    const second = begin(add, honours)
    expect(second.key).toBe(first.key)
    settle(second, 'rejected')
    const third = begin(add, honours)
    expect(third.key).toBe(first.key)
    settle(third, 'succeeded')
    wait(windowMs)
    expect(begin(add).key).not.toBe(first.key)
    const other = document()
    const rejected = other.run(add, 'rejected')
    expect(other.begin(add).key).not.toBe(rejected.key)
  })

  it('decision 4: a named click has its derived key, also after a rejection and after the ledger was lost', () => {
    const { run, begin, forget } = document()
    expect(run(named, 'rejected').key).toBe('derived key')
    expect(run(named, 'unknown').key).toBe('derived key')
    forget()
    expect(begin(named).key).toBe('derived key')
  })
})

describe('what came between', () => {
  it('decision 5: a change is between if it succeeded and began after the success was known', () => {
    const { run, ask } = document()
    run(add)
    expect(ask(add)).toBe('replayed')
    run(undo, 'rejected')
    expect(ask(add)).toBe('replayed')
    run(undo)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 5: changes that overlap are never between', () => {
    const { begin, settle, ask } = document()
    const adding = begin(add)
    const undoing = begin(undo)
    settle(adding, 'succeeded')
    settle(undoing, 'succeeded')
    expect([ask(add), ask(undo)]).toEqual(['replayed', 'replayed'])
  })

  it('decision 5: if several attempts may have made the change, it began with the oldest', () => {
    const { begin, run, settle, wait, ask } = document()
    begin(undo)
    run(add)
    wait(leaseMs)
    const retry = begin(undo, honours)
    run(click('swap'))
    settle(retry, 'succeeded')
    expect([ask(click('swap')), ask(undo), ask(add)]).toEqual(['replayed', 'replayed', 'claimed'])
  })

  it('decision 5: a change that two attempts report counts from the first', () => {
    const { begin, run, settle, wait, ask } = document()
    const first = begin(undo)
    wait(leaseMs)
    run(add)
    const second = begin(undo, honours)
    settle(first, 'succeeded')
    settle(second, 'succeeded')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 5: a named change that two attempts report counts from the first', () => {
    const { enter, run, settle, wait, ask } = document()
    const held = { ...askedOf('one', click('undo', { name: 'n' })), key: 'derived', began: 1 }
    const first = enter(held)
    wait(leaseMs)
    run(add)
    const second = enter({ ...held, attempt: 'two' })
    settle(first, 'succeeded', true)
    settle(second, 'succeeded', true)
    expect(ask(add)).toBe('replayed')
  })

  it('decision 6: a repeat is undecided while another change runs or is unknown', () => {
    const { begin, run, settle, ask, wait } = document()
    run(add)
    const undoing = begin(undo)
    expect(ask(add)).toBe('store_unavailable 5')
    settle(undoing, 'unknown')
    expect(ask(add)).toBe('store_unavailable 3600')
    expect(ask(add, reconciles)).toBe('store_unavailable 30')
    wait(dayMs - minute)
    expect(ask(add)).toBe('store_unavailable 60')
    wait(minute)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 6: a success does not expire while another change is unknown', () => {
    const { run, begin, settle, wait, ask } = document()
    run(click('add', { windowMs: 60 * minute }))
    wait(minute)
    const undoing = begin(undo)
    wait(30 * minute)
    settle(undoing, 'unknown')
    wait(60 * minute)
    run(click('swap'), 'rejected')
    expect(ask(add)).toBe('store_unavailable 3600')
    settle(undoing, 'rejected')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 6: it is decided by how the other change ends', () => {
    for (const [outcome, word] of [
      ['succeeded', 'claimed'],
      ['rejected', 'replayed'],
      ['released', 'replayed'],
    ] as const) {
      const { begin, run, settle, ask } = document()
      run(add)
      settle(begin(undo), outcome)
      expect(ask(add)).toBe(word)
    }
  })

  it('decision 6: a change that began after the window does not hold the success', () => {
    const { begin, run, wait, ask } = document()
    run(add)
    wait(windowMs)
    begin(undo)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 7: order needs no clock, and a replay takes no number', () => {
    const { run, ask, begin, settle } = document()
    for (const one of [add, undo, add, undo]) run(one)
    const { began } = begin(click('swap'))
    expect([ask(undo), ask(undo)]).toEqual(['store_unavailable 5', 'store_unavailable 5'])
    settle({ ...askedOf('x', add), key: 'none', began: 1 }, 'released')
    expect(begin(click('delay')).began).toBe(began + 1)
  })

  it('decision 9: add without a response, undo, add: the third request is a retry of the first', () => {
    const { run, begin, ask } = document()
    const { key } = run(add, 'unknown')
    run(undo)
    expect(ask(add)).toBe('store_unavailable 3600')
    expect(begin(add, honours).key).toBe(key)
  })
})

describe('success, rejection, unknown', () => {
  it('decision 10: a late success of any attempt survives a later rejection', () => {
    const { begin, settle, wait, ask } = document()
    const first = begin(add)
    wait(leaseMs)
    const second = begin(add, honours)
    settle(first, 'unreported')
    settle(second, 'rejected')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 10: a rejection and an unknown outcome settle only their own attempt', () => {
    for (const outcome of ['rejected', 'unknown', 'released'] as const) {
      const { begin, settle, wait, ask } = document()
      const first = begin(add)
      wait(leaseMs)
      begin(add, honours)
      settle(first, outcome)
      expect(ask(add, honours)).toBe('running')
    }
  })

  it('decision 10: an attempt of another instance changes nothing', () => {
    const { run, begin, settle, wait, ask } = document()
    const old = run(add)
    wait(windowMs)
    const running = begin(add)
    for (const outcome of ['rejected', 'unknown', 'succeeded', 'released'] as const) settle(old, outcome)
    expect(ask(add)).toBe('running')
    settle(running, 'rejected')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 10: a settle that runs twice, the second time after a later attempt began, changes nothing', () => {
    const { begin, settle, wait, ask } = document()
    const first = begin(add)
    settle(first, 'unknown')
    wait(minute)
    begin(add, honours)
    settle(first, 'unknown')
    settle(first, 'rejected')
    expect(ask(add, honours)).toBe('running')
  })

  it('decision 10: a success that comes after a day counts from where it began', () => {
    for (const [outcome, word] of [
      ['rejected', 'replayed'],
      ['succeeded', 'claimed'],
    ] as const) {
      const { begin, settle, run, wait, ask } = document()
      const held = begin(add)
      wait(dayMs)
      run(undo, outcome)
      settle(held, 'unreported')
      expect(ask(add)).toBe(word)
    }
  })

  it('decision 10: a success that comes after a day does not end a newer instance that runs', () => {
    const { begin, settle, wait, ask } = document()
    const old = begin(add)
    wait(dayMs)
    begin(add)
    settle(old, 'succeeded')
    expect(ask(add)).toBe('running')
  })

  it('decision 11: a rejection frees the click only if every attempt of the instance was rejected', () => {
    const { begin, settle, wait, ask } = document()
    settle(begin(add), 'unknown')
    wait(minute)
    settle(begin(add, honours), 'rejected')
    expect(ask(add)).toBe('store_unavailable 3600')
    wait(dayMs - 2 * minute)
    expect(ask(add)).toBe('store_unavailable 60')
    wait(minute)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 11: not_applied counts as the rejection of every earlier attempt', () => {
    const { begin, settle, start, ask } = document()
    settle(begin(add), 'unknown')
    const started = start(begin(add, reconciles))
    if (started === 'lost') throw new Error('lost')
    settle(started, 'rejected')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 11: of many attempts the oldest is never dropped', () => {
    const { begin, settle, ask } = document()
    const first = begin(add)
    settle(first, 'unknown')
    const others = Array.from({ length: 20 }, () => {
      const held = begin(add, honours)
      settle(held, 'unknown')
      return held
    })
    for (const held of [first, ...others]) settle(held, 'rejected')
    expect(ask(add)).toBe('store_unavailable 3600')
  })

  it('decision 12: the window starts when the success is first reported', () => {
    const { run, wait, ask } = document()
    run(add)
    wait(windowMs - 1)
    expect(ask(add)).toBe('replayed')
    wait(1)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 12: an unreported success is stored for 10 minutes', () => {
    const { run, wait, ask } = document()
    run(add, 'unreported')
    wait(10 * minute)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 12: an unreported success is stored for its window if that is longer', () => {
    const { run, wait, ask } = document()
    run(named, 'unreported')
    wait(dayMs - 1)
    expect(ask(named)).toBe('replayed')
    wait(dayMs - 1)
    expect(ask(named)).toBe('replayed')
    wait(1)
    expect(ask(named)).toBe('claimed')
  })

  it('decision 12: its first replay reports it and starts the window, and later replays extend nothing', () => {
    const { run, wait, ask } = document()
    run(add, 'unreported')
    wait(10 * minute - 1)
    expect(ask(add)).toBe('replayed')
    wait(windowMs - 1)
    expect(ask(add)).toBe('replayed')
    wait(1)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 12: a success that reconcile finds starts its window when it is found', () => {
    const { run, begin, settle, wait, ask } = document()
    run(add, 'unknown')
    wait(60 * minute)
    settle(begin(add, reconciles), 'succeeded')
    wait(windowMs - 1)
    expect(ask(add, reconciles)).toBe('replayed')
    wait(1)
    expect(ask(add, reconciles)).toBe('claimed')
  })

  it('decision 12: a success that was stored with its change becomes unreported when its caller has left', () => {
    const { run, settle, wait, ask } = document()
    const held = run(add)
    settle(held, 'unreported')
    settle({ ...held, attempt: 'another' }, 'unreported')
    wait(10 * minute - 1)
    expect(ask(add)).toBe('replayed')
  })

  it('decision 12: a settle that runs again after the first replay does not extend the window', () => {
    const { begin, settle, wait, ask } = document()
    const held = begin(add)
    settle(held, 'unreported')
    expect(ask(add)).toBe('replayed')
    wait(windowMs)
    settle(held, 'unreported')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 13: window 0 turns off only the replay of a success that has ended', () => {
    const off = click('add', { windowMs: 0 })
    for (const outcome of ['succeeded', 'unreported'] as const) {
      const { begin, settle, ask, claim, wait } = document()
      const held = begin(off)
      const waiting = claim(off)
      expect(waiting).toMatchObject({ state: 'running' })
      wait(100)
      settle(held, outcome)
      expect(ask(off, { seen: waiting.state === 'running' ? waiting.seen : 0, waitedMs: 100 })).toBe('replayed')
      expect(ask(off)).toBe('claimed')
      const other = document()
      other.run(off, outcome)
      expect(other.ask(off)).toBe('claimed')
    }
    const { run, ask } = document()
    run(off, 'unknown')
    expect(ask(off)).toBe('store_unavailable 3600')
  })

  it('decision 14: an unknown click runs again under the same key if that is safe, else it stops for at most an hour', () => {
    const { run, ask, begin, wait } = document()
    const { key } = run(add, 'unknown')
    expect(ask(add)).toBe('store_unavailable 3600')
    wait(dayMs - 61_000)
    expect(ask(add)).toBe('store_unavailable 61')
    expect(begin(add, honours).key).toBe(key)
    expect(ask(add)).toBe('running')
  })

  it('decision 15: after the time for which a key is honoured, an unknown click stops', () => {
    const { run, ask, wait } = document()
    const forAnHour = { repeatableMs: 60 * minute }
    run(add, 'unknown')
    wait(60 * minute - 1)
    expect(ask(add, forAnHour)).toBe('claimed')
    wait(leaseMs)
    expect(ask(add, forAnHour)).toBe('store_unavailable 3600')
  })
})

describe('reconcile', () => {
  it('decision 16: without fencing, an attempt that applies after not_applied is merged, and its effect is doubled', () => {
    const { begin, settle, start, wait, ask } = document()
    const paused = begin(add)
    wait(leaseMs)
    const second = start(begin(add, reconciles))
    if (second === 'lost') throw new Error('lost')
    settle(paused, 'succeeded')
    settle(second, 'succeeded')
    expect([second.key, ask(add)]).toEqual([paused.key, 'replayed'])
  })

  it('decision 17: it is given the ages of the first and the last attempt', () => {
    const { run, claim, wait } = document()
    run(add, 'unknown')
    wait(minute)
    run(add, 'unknown', honours)
    wait(1000)
    expect(claim(add, reconciles)).toMatchObject({
      state: 'reconcile',
      firstMsAgo: minute + 1000,
      lastMsAgo: 1000,
    })
  })

  it('decision 18: one retry asks, and the others wait as for an attempt that runs', () => {
    const { run, begin, ask, start, settle, wait } = document()
    run(add, 'unknown')
    const asking = begin(add, reconciles)
    expect(ask(add, reconciles)).toBe('running')
    wait(leaseMs - 1)
    const started = start(asking)
    expect(started).toMatchObject({ key: asking.key, attempt: asking.attempt })
    wait(leaseMs - 1)
    expect(ask(add, reconciles)).toBe('running')
    if (started !== 'lost') settle(started, 'succeeded')
    expect(ask(add, reconciles)).toBe('replayed')
  })

  it('decision 18: the attempt starts only if its lease has not lapsed and no other has taken over', () => {
    const { run, begin, start, wait, settle } = document()
    run(add, 'unknown')
    const slow = begin(add, reconciles)
    wait(leaseMs)
    expect(start(slow)).toBe('lost')
    const other = begin(add, reconciles)
    expect(start(slow)).toBe('lost')
    settle(slow, 'unknown')
    expect(start(other)).toMatchObject({ attempt: other.attempt })
    expect(start(slow)).toBe('lost')
  })

  it('decision 18: a late success comes before the answer, so the attempt does not start', () => {
    const { begin, settle, start, wait, ask } = document()
    const paused = begin(add)
    wait(leaseMs)
    const asking = begin(add, reconciles)
    settle(paused, 'succeeded')
    expect([start(asking), ask(add, reconciles)]).toEqual(['lost', 'replayed'])
  })

  it('decision 18: a late rejection and a late unknown outcome do not end the question', () => {
    for (const outcome of ['rejected', 'unknown'] as const) {
      const { begin, settle, start, wait, ask } = document()
      const paused = begin(add)
      wait(leaseMs)
      const asking = begin(add, reconciles)
      settle(paused, outcome)
      expect(ask(add, reconciles)).toBe('running')
      expect(start(asking)).toMatchObject({ attempt: asking.attempt })
    }
  })

  it('decision 18: an attempt whose lease has lapsed asks again under a new one', () => {
    const customer = document()
    customer.run(add, 'unknown')
    const asked = askedOf('slow', add, reconciles)
    customer.begin(add, asked)
    customer.wait(leaseMs)
    const again = customer.begin(add, asked)
    expect(customer.start(again)).toMatchObject({ attempt: 'slow' })
  })

  it('decision 18: unknown, and a lapsed lease, are unknown again', () => {
    const { run, begin, settle, ask, wait } = document()
    run(add, 'unknown')
    settle(begin(add, reconciles), 'unknown')
    expect(ask(add)).toBe('store_unavailable 3600')
    begin(add, reconciles)
    wait(leaseMs)
    expect(ask(add, reconciles)).toBe('reconcile')
  })
})

describe('time', () => {
  it('decision 20: a renewed lease does not lapse', () => {
    const { begin, renew, ask, wait } = document()
    const held = begin(add)
    for (let renewals = 0; renewals < 10; renewals++) {
      wait(leaseMs - 1)
      renew(held)
    }
    wait(leaseMs - 1)
    expect(ask(add, honours)).toBe('running')
    wait(1)
    expect(ask(add, honours)).toBe('claimed')
  })

  it('decision 20: an attempt that has ended is not renewed', () => {
    const { begin, renew, settle, ask } = document()
    const held = begin(add)
    settle(held, 'unknown')
    const other = begin(add, honours)
    settle(other, 'rejected')
    renew(other)
    expect(ask(add, honours)).toBe('claimed')
  })

  it('decision 20: an attempt whose lease has lapsed still settles', () => {
    for (const [outcome, word] of [
      ['succeeded', 'replayed'],
      ['rejected', 'claimed'],
      ['unknown', 'store_unavailable 3600'],
    ] as const) {
      const { begin, settle, ask, wait } = document()
      const held = begin(add)
      wait(leaseMs + minute)
      settle(held, outcome)
      expect(ask(add)).toBe(word)
    }
  })

  it('decision 21: the success that a request waited for is its response, whatever came since', () => {
    const { begin, claim, settle, run, wait, ask } = document()
    const held = begin(add)
    const waiting = claim(add)
    const seen = waiting.state === 'running' ? waiting.seen : 0
    settle(held, 'succeeded')
    run(undo)
    wait(retainMs - 1)
    expect(ask(add, { seen, waitedMs: retainMs })).toBe('replayed')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 21: a request that waited for a rejected attempt runs itself', () => {
    const { begin, claim, settle, ask } = document()
    const held = begin(add)
    const waiting = claim(add)
    settle(held, 'rejected')
    expect(ask(add, { seen: waiting.state === 'running' ? waiting.seen : 0 })).toBe('claimed')
  })

  it('decision 21: a request whose instance the ledger has lost stops', () => {
    const { begin, claim, forget, ask } = document()
    begin(add)
    const waiting = claim(add)
    forget()
    expect(ask(add, { seen: waiting.state === 'running' ? waiting.seen : 0 })).toBe('store_unavailable 30')
  })

  it('decision 21: a request waits for an attempt whose end the ledger stores after a loss', () => {
    const { begin, claim, forget, run, settle, ask } = document()
    for (let count = 0; count < 3; count++) run(click(`${count}`))
    const held = begin(add)
    const waiting = claim(add)
    forget()
    settle(held, 'succeeded')
    expect(ask(add, { seen: waiting.state === 'running' ? waiting.seen : 0 })).toBe('replayed')
  })

  it('decision 21: a document stays for the requests that wait, although no click is left in it', () => {
    const { begin, claim, settle, wait, ask } = document()
    const held = begin(add)
    const waiting = claim(add)
    settle(held, 'rejected')
    wait(retainMs - 1)
    expect(ask(add, { seen: waiting.state === 'running' ? waiting.seen : 0 })).toBe('claimed')
  })

  it('decision 21: a request whose instance was dropped stops', () => {
    const { begin, claim, settle, run, ask } = document()
    const held = begin(add)
    const waiting = claim(add)
    settle(held, 'succeeded')
    run(undo)
    run(click('swap'))
    expect(ask(add, { seen: waiting.state === 'running' ? waiting.seen : 0 })).toBe('store_unavailable 30')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 21: a window is judged at the arrival of the request', () => {
    const { run, wait, ask } = document()
    run(add)
    wait(windowMs + 500)
    expect(ask(add, { waitedMs: 501 })).toBe('replayed')
    expect(ask(add, { waitedMs: 500 })).toBe('claimed')
  })

  it('decision 22: a time in the future becomes now and is saved, once', () => {
    const customer = document()
    customer.run(add)
    customer.wait(-dayMs)
    expect(customer.ask(add)).toBe('replayed')
    const { writes } = customer
    expect(customer.ask(add)).toBe('replayed')
    expect(customer.writes).toBe(writes)
    customer.wait(windowMs)
    expect(customer.ask(add)).toBe('claimed')
  })

  it('decision 22: a lease and an unknown outcome from the future last no longer than others', () => {
    const running = document()
    running.begin(add)
    running.wait(-dayMs)
    expect(running.ask(add)).toBe('running')
    running.wait(leaseMs)
    expect(running.ask(add)).toBe('store_unavailable 3600')
    running.wait(dayMs - leaseMs)
    expect(running.ask(add)).toBe('claimed')
  })

  it('decision 22: a step forward counts as a lapsed lease', () => {
    const { begin, wait, ask } = document()
    begin(add)
    wait(60 * minute)
    expect([ask(add), ask(add, reconciles)]).toEqual(['store_unavailable 3600', 'reconcile'])
  })
})

describe('storage', () => {
  it('decision 24: a name with another body is rejected in its own document, while it runs and after', () => {
    const other = click('another body', { name: named.name, derivedKey: 'another key', windowMs: dayMs })
    const { begin, settle, ask, wait } = document()
    const held = begin(named)
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    settle(held, 'unknown')
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    settle(begin(named, honours), 'succeeded')
    wait(dayMs - 1)
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    wait(1)
    expect(ask(other)).toBe('claimed')
  })

  it('decision 24: a rejection does not use a name up', () => {
    const { run, ask } = document()
    run(named, 'rejected')
    expect(ask(click('another body', { name: named.name, derivedKey: 'another key' }))).toBe('claimed')
  })

  it('decision 24: a named click has its place in the order of the customer', () => {
    const customer = document()
    const gate = document(customer.clock)
    customer.run(add)
    const held = gate.begin(named)
    const entry = customer.enter(held)
    expect(customer.ask(add)).toBe('store_unavailable 5')
    customer.settle(entry, 'unknown', true)
    gate.settle(held, 'unknown')
    expect(customer.ask(add)).toBe('store_unavailable 3600')
    // Resolving the named click settles its entry.
    const asking = gate.begin(named, reconciles)
    customer.settle(asking, 'succeeded', true)
    gate.settle(asking, 'succeeded')
    expect([customer.ask(add), gate.ask(named)]).toEqual(['claimed', 'replayed'])
  })

  it('decision 24: an attempt after not_applied takes a new place, since the earlier ones made no change', () => {
    const customer = document()
    const gate = document(customer.clock)
    const first = gate.begin(named)
    customer.settle(customer.enter(first), 'unknown', true)
    gate.settle(first, 'unknown')
    customer.run(undo)
    const started = gate.start(gate.begin(named, reconciles))
    if (started === 'lost') throw new Error('lost')
    customer.settle(customer.enter(started, true), 'succeeded', true)
    expect(customer.ask(undo)).toBe('claimed')
  })

  it('decision 25: a claim, an entry and a start that run again after a lost answer get the same result', () => {
    const { claim, ask, enter, start, run } = document()
    const asked = { attempt: 'one' }
    const claimed = heldBy(claim(add, asked))
    expect(claim(add, asked)).toEqual({ state: 'claimed', held: claimed })
    const held = { ...askedOf('two', named), key: 'k', began: 1 }
    expect(enter(held)).toEqual(enter(held))
    const other = click('undo')
    run(other, 'unknown')
    const reconciling = { ...reconciles, attempt: 'three' }
    expect(claim(other, reconciling)).toEqual(claim(other, reconciling))
    const asking = heldBy(claim(other, reconciling))
    expect(start(asking)).toEqual(start(asking))
    expect(ask(other)).toBe('running')
  })

  it('decision 25: a release is written even if nothing is held, so that a late claim finds another version', () => {
    const { settle, begin, ask, run, writes } = document()
    expect(writes).toBe(0)
    const lost = { ...askedOf('lost', add), key: 'lost', began: 0 }
    const customer = document()
    customer.settle(lost, 'released')
    expect([customer.writes, customer.forgotten]).toEqual([1, 0])
    // The claim was stored after all; of a retry the request does not know the key.
    run(add, 'unknown')
    begin(add, { ...honours, attempt: 'lost' })
    expect(ask(add, honours)).toBe('running')
    settle(lost, 'released')
    expect(ask(add, honours)).toBe('claimed')
  })

  it('decision 26: a request that waits, is replayed or is stopped writes nothing', () => {
    const customer = document()
    const held = customer.begin(add)
    const repeats = Array.from({ length: 19 }, () => customer.ask(add))
    expect([new Set(repeats), customer.writes]).toEqual([new Set(['running']), 1])
    customer.settle(held, 'succeeded')
    customer.ask(add)
    customer.settle(customer.begin(undo), 'unknown')
    const { writes } = customer
    expect([customer.ask(add), customer.ask(undo), customer.writes]).toEqual([
      'store_unavailable 3600',
      'store_unavailable 3600',
      writes,
    ])
  })

  it('decision 27: a document that is full of clicks in use is an error', () => {
    for (const end of ['running', 'unknown', 'succeeded'] as const) {
      const { begin, settle, ask, wait } = document()
      const held = Array.from({ length: 3 }, (_, index) => begin(click(`${index}`), { maxClicks: 3 }))
      if (end !== 'running') for (const each of held) settle(each, end)
      expect(ask(click('new'), { maxClicks: 3 })).toBe('store_unavailable 30')
      wait(dayMs + retainMs)
      expect(ask(click('new'), { maxClicks: 3 })).toBe('claimed')
    }
  })

  it('decision 27: the 101st click of a customer stops, and so does a named one', () => {
    const { begin, ask, enter } = document()
    for (let count = 0; count < 100; count++) begin(click(`${count}`))
    expect(ask(click('new'))).toBe('store_unavailable 30')
    expect(() => enter({ ...askedOf('a', named), key: 'k', began: 1 })).toThrow(
      expect.objectContaining({ code: 'store_unavailable' }),
    )
  })

  it('decision 27: a success with a later change between is dropped, and any other stays for requests that wait', () => {
    const { run, ask } = document()
    for (const one of ['1', '2', '3', '4']) run(click(one, { windowMs: dayMs }), 'succeeded', { maxClicks: 3 })
    expect(ask(click('4'))).toBe('replayed')
    const other = document()
    const held = ['1', '2', '3'].map((one) => other.begin(click(one, { windowMs: 0 })))
    for (const each of held) other.settle(each, 'succeeded')
    other.wait(retainMs - 1)
    expect(other.ask(click('4'), { maxClicks: 3 })).toBe('store_unavailable 30')
    other.wait(1)
    expect(other.ask(click('4'), { maxClicks: 3 })).toBe('claimed')
  })

  it('decision 27: a success in its window is never dropped', () => {
    const { run, wait, ask } = document()
    run(click('add', { windowMs: dayMs }))
    wait(dayMs - 1)
    run(undo, 'rejected')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 27: adding and undoing in turn never fills a document', () => {
    const { run, ask } = document()
    for (let count = 0; count < 500; count++) run(count % 2 === 0 ? add : undo)
    expect([ask(undo), ask(add)]).toEqual(['replayed', 'claimed'])
  })

  it('decision 28: settling in a document that is missing recreates it and reports the loss', () => {
    for (const [outcome, word] of [
      ['succeeded', 'replayed'],
      ['unknown', 'store_unavailable 3600'],
      ['rejected', 'claimed'],
    ] as const) {
      const customer = document()
      const held = customer.begin(add)
      customer.forget()
      customer.settle(held, outcome)
      expect([customer.forgotten, customer.ask(add)]).toEqual([1, word])
    }
  })

  it('decision 28: an attempt from before the loss is not between two later changes', () => {
    for (const outcome of ['succeeded', 'unknown'] as const) {
      const { run, begin, forget, settle, ask } = document()
      for (let count = 0; count < 5; count++) run(click(`${count}`))
      const held = begin(undo)
      forget()
      run(add)
      settle(held, outcome)
      expect(ask(add)).toBe('replayed')
      expect(ask(undo)).toBe(outcome === 'succeeded' ? 'replayed' : 'store_unavailable 3600')
      run(click('swap'))
      expect(ask(click('swap'))).toBe('replayed')
    }
  })

  it('decision 29: on a young ledger a first attempt asks the store, which has no ages', () => {
    const { claim, start, settle, ask } = document()
    const young = { ...reconciles, isYoung: true }
    const claimed = claim(add, young)
    expect(claimed).toEqual({ state: 'reconcile', held: expect.objectContaining({ began: 0 }) })
    expect(ask(add, young)).toBe('running')
    const started = start(heldBy(claimed))
    if (started === 'lost') throw new Error('lost')
    settle(started, 'rejected')
    expect(ask(add, { isYoung: true })).toBe('claimed')
  })

  it('decision 29: a click whose success the young ledger has is not asked about', () => {
    const { run, ask, begin, settle } = document()
    const young = { ...reconciles, isYoung: true }
    settle(begin(add, young), 'succeeded')
    expect(ask(add, young)).toBe('replayed')
    run(undo)
    expect(ask(add, young)).toBe('claimed')
  })

  it('decision 29: a first attempt that is lost while it asks leaves nothing behind', () => {
    const { begin, settle, ask, wait } = document()
    const young = { ...reconciles, isYoung: true }
    settle(begin(add, young), 'unknown')
    begin(add, young)
    wait(leaseMs)
    expect(ask(add, young)).toBe('reconcile')
    wait(leaseMs)
    expect(ask(add)).toBe('claimed')
  })
})

describe('a store that owns the transaction', () => {
  const pendingOf = (attempt: string, one: ClickNames) =>
    new PendingClick({
      click: { ...one, customer: 'customer' },
      asked: askedOf(attempt, one),
      commitBy: 0,
      waitedMs: () => 0,
    })

  /** The documents of a customer and of a name, which a transaction commits together. */
  function transaction(stored: readonly (readonly [string, StoredClicks])[] = []) {
    const documents = new Map(stored)
    const keep = (one: ClickNames, attempt: string) => {
      const pending = pendingOf(attempt, one)
      const { customer, named: name = '' } = pending
      const kept = pending.keep({ customer: documents.get(customer), named: documents.get(name) }, 10 * dayMs)
      const commit = () => {
        for (const { key, document: after } of kept.writes) documents.set(key, after)
      }
      return { state: kept.state, commit }
    }
    return { keep, documents }
  }

  it('decision 35: the click and its success are committed together, or neither', () => {
    for (const one of [add, named]) {
      const { keep } = transaction()
      // Rolled back.
      expect(keep(one, '1').state).toBe('run')
      const second = keep(one, '2')
      expect(second.state).toBe('run')
      second.commit()
      expect(keep(one, '3').state).toBe('replayed')
    }
  })

  it('decision 35: a named change is between two others', () => {
    const { keep } = transaction()
    keep(undo, '1').commit()
    keep(named, '2').commit()
    expect([keep(undo, '3').state, keep(named, '4').state]).toEqual(['run', 'replayed'])
  })

  it('decision 35: a named change keeps the other clicks of the customer', () => {
    const customer = document()
    customer.begin(undo)
    if (customer.stored === undefined) throw new Error('not stored')
    const { keep, documents } = transaction([['customer', customer.stored]])
    keep(named, '1').commit()
    customer.forget(documents.get('customer'))
    expect(customer.ask(undo)).toBe('running')
  })

  it('decision 33: a transaction that runs again finds its attempt', () => {
    for (const one of [add, named]) {
      const { keep } = transaction()
      keep(one, 'same').commit()
      expect([keep(one, 'same').state, keep(one, 'other').state]).toEqual(['ran', 'replayed'])
    }
  })

  it('decision 25: a claim that the document holds already keeps the rest of it', () => {
    const customer = document()
    const held = customer.begin(add)
    customer.run(undo)
    if (customer.stored === undefined) throw new Error('not stored')
    const { keep, documents } = transaction([['customer', customer.stored]])
    const kept = keep(add, held.attempt)
    kept.commit()
    customer.forget(documents.get('customer'))
    expect([kept.state, customer.ask(add), customer.ask(undo)]).toEqual(['run', 'replayed', 'replayed'])
  })

  it('decision 14: a click that runs elsewhere is an error, with 5 s to wait', () => {
    for (const [one, code] of [
      [named, 'request_in_progress'],
      [add, 'store_unavailable'],
    ] as const) {
      const gate = document()
      gate.begin(one)
      const documents = one === named ? { named: gate.stored } : { customer: gate.stored }
      expect(() => pendingOf('other', one).keep(documents, gate.clock.now)).toThrow(
        expect.objectContaining({ code, retryAfter: 5 }),
      )
    }
  })
})

it('decision 27: a document is open while a click of it runs or is unknown', () => {
  const { begin, settle, stored } = document()
  expect(stored).toBeUndefined()
  const customer = document()
  const held = customer.begin(add)
  const isOpenNow = () => customer.stored !== undefined && isOpen(customer.stored, customer.clock.now)
  expect(isOpenNow()).toBe(true)
  customer.settle(held, 'unknown')
  expect(isOpenNow()).toBe(true)
  customer.settle(held, 'succeeded')
  expect(isOpenNow()).toBe(false)
  settle(begin(add), 'rejected')
})

describe('invariants', () => {
  /** A random history of one customer: requests begin and end in any order, and time passes. */
  const step = fc.oneof(
    fc.record({ request: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ end: fc.nat(5), outcome: fc.constantFrom<Outcome[]>('succeeded', 'rejected', 'unknown') }),
    fc.record({ wait: fc.constantFrom(1, windowMs - 1, windowMs, leaseMs, dayMs) }),
  )

  /** One attempt, as the world outside the document knows it. */
  interface Run {
    readonly held: Held
    readonly began: number
    readonly at: number
    ended?: { readonly outcome: Outcome; readonly order: number; readonly at: number } | undefined
  }

  /** Plays a history; calls `check` with what each request gets, and with all attempts before it. */
  function play(
    steps: readonly ({ request: string } | { end: number; outcome: Outcome } | { wait: number })[],
    changes: Partial<Asked>,
    check: (word: string, fingerprint: string, runs: readonly Run[], now: number, claim: Claim) => void,
  ): void {
    const { claim, settle, wait, clock } = document()
    const runs: Run[] = []
    for (const [order, one] of steps.entries()) {
      if ('wait' in one) wait(one.wait)
      else if ('request' in one) {
        const claimed = claim(click(one.request), changes)
        check(wordOf(claimed), one.request, runs, clock.now, claimed)
        if (claimed.state === 'claimed') runs.push({ held: claimed.held, began: order, at: clock.now })
      } else {
        const run = runs.filter(({ ended }) => ended === undefined)[one.end]
        // The document has forgotten an attempt after a day.
        if (run === undefined || clock.now >= run.at + dayMs) continue
        settle(run.held, one.outcome)
        run.ended = { outcome: one.outcome, order, at: clock.now }
      }
    }
  }

  const history = fc.array(step, { minLength: 5, maxLength: 40 })
  const runsOf = (runs: readonly Run[], fingerprint: string) =>
    runs.filter(({ held }) => held.click.fingerprint === fingerprint)

  it('invariant 1, once, and 7, between: a success in its window without a change between is replayed, else not', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, {}, (word, fingerprint, runs, now) => {
          const last = runsOf(runs, fingerprint).findLast(({ ended }) => ended?.outcome === 'succeeded')
          const { ended } = last ?? {}
          if (ended === undefined) return expect(word).not.toBe('replayed')
          const later = runs.filter(({ began }) => began > ended.order)
          const isBetween = later.some((run) => run.ended?.outcome === 'succeeded')
          // A change that runs, is lost or is unknown may turn out to be between.
          const isUndecided = later.some((run) => run.ended === undefined || run.ended.outcome === 'unknown')
          if (isBetween) expect(word).not.toBe('replayed')
          else if (!isUndecided) expect(word === 'replayed').toBe(now < ended.at + windowMs)
        }),
      ),
      { numRuns: 1000 },
    )
  })

  it('invariant 2, fencing: an attempt of another click or instance never frees a click that runs', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, {}, (word, fingerprint, runs, now) => {
          const isRunning = runsOf(runs, fingerprint).some(({ ended, at }) => ended === undefined && now < at + leaseMs)
          expect(word === 'running').toBe(isRunning)
        }),
      ),
      { numRuns: 1000 },
    )
  })

  it('invariant 3, unknown stays unknown for 24 h', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, {}, (word, fingerprint, runs, now) => {
          const isUnknown = runsOf(runs, fingerprint).some(({ ended, at }) => {
            const isLost = ended === undefined && now >= at + leaseMs
            return (isLost || ended?.outcome === 'unknown') && now < at + dayMs
          })
          if (isUnknown) expect(word).toMatch(/^store_unavailable \d+$|^replayed$/)
        }),
      ),
      { numRuns: 1000 },
    )
  })

  it('invariant 4, one platform key: attempts share a key until their instance ends', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, honours, (_word, fingerprint, runs, now, claim) => {
          if (claim.state !== 'claimed') return
          const own = runsOf(runs, fingerprint)
          const canApply = ({ ended, at }: Run) =>
            (ended === undefined || ended.outcome === 'unknown') && now < at + dayMs
          const open = own.findLast(canApply)
          const resolved = own.findLast(({ ended }) => ended?.outcome === 'succeeded')
          const isResolved = open !== undefined && (resolved?.ended?.order ?? -1) > open.began
          if (open !== undefined && !isResolved) expect(claim.held.key).toBe(open.held.key)
          for (const { held, ended } of own)
            if (ended?.outcome === 'succeeded') expect(claim.held.key).not.toBe(held.key)
        }),
      ),
      { numRuns: 1000 },
    )
  })

  it('invariant 5, a ledger that forgot: each loss that a settle can see is reported', () => {
    const { begin, forget, settle, forgotten } = document()
    expect(forgotten).toBe(0)
    const customer = document()
    const held = [begin(add), customer.begin(add)]
    forget()
    for (const each of held) customer.settle(each, 'rejected')
    expect(customer.forgotten).toBe(0)
    customer.forget()
    customer.settle(customer.begin(undo), 'succeeded')
    expect(customer.forgotten).toBe(0)
    customer.forget()
    for (const each of held) customer.settle(each, 'rejected')
    expect(customer.forgotten).toBe(2)
    settle({ ...askedOf('x', add), key: 'x', began: 0 }, 'released')
  })

  it('invariant 6, nothing blocks: a day after the last step, every click runs', () => {
    fc.assert(
      fc.property(history, fc.constantFrom<Partial<Asked>>({}, honours), (steps, changes) => {
        const lastWait = { wait: dayMs + leaseMs }
        const all = ['a', 'b', 'c'].map((request) => ({ request }))
        let asked = 0
        play([...steps, lastWait, ...all], changes, (word) => {
          asked += 1
          const requests = steps.filter((one) => 'request' in one).length
          if (asked > requests) expect(word).toBe('claimed')
        })
      }),
      { numRuns: 1000 },
    )
  })
})
