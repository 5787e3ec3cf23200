import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClaimRequest, Claim, Held, Outcome } from '../../src/retries/ledger.ts'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, leaseMs, undo, windowMs, stateOf } from './document.ts'

describe('invariants', () => {
  /** A step in the random history of a customer: a request begins, an attempt ends, or time passes. */
  const step = fc.oneof(
    fc.record({ request: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ end: fc.nat(5), outcome: fc.constantFrom<Outcome[]>('succeeded', 'rejected', 'unknown') }),
    fc.record({ wait: fc.constantFrom(1, windowMs - 1, windowMs, leaseMs, dayMs) }),
  )

  /** One attempt, as recorded by the test. */
  interface Run {
    readonly held: Held
    readonly began: number
    readonly at: number
    ended?: { readonly outcome: Outcome; readonly order: number; readonly at: number } | undefined
  }

  /** Plays a history. Calls `check` with the state of each claim and with all earlier attempts. */
  function play(
    steps: readonly ({ request: string } | { end: number; outcome: Outcome } | { wait: number })[],
    changes: Partial<ClaimRequest>,
    check: (word: string, fingerprint: string, runs: readonly Run[], now: number, claim: Claim) => void,
  ): void {
    const { claim, settle, wait, clock } = createDocument()
    const runs: Run[] = []
    for (const [order, one] of steps.entries()) {
      if ('wait' in one) wait(one.wait)
      else if ('request' in one) {
        const claimed = claim(click(one.request), changes)
        check(stateOf(claimed), one.request, runs, clock.now, claimed)
        if (claimed.state === 'claimed') runs.push({ held: claimed.held, began: order, at: clock.now })
      } else {
        const run = runs.filter(({ ended }) => ended === undefined)[one.end]
        // After a day, the document no longer contains the attempt.
        if (run === undefined || clock.now >= run.at + dayMs) continue
        settle(run.held, one.outcome)
        run.ended = { outcome: one.outcome, order, at: clock.now }
      }
    }
  }

  const history = fc.array(step, { minLength: 5, maxLength: 40 })
  const runsOf = (runs: readonly Run[], fingerprint: string) =>
    runs.filter(({ held }) => held.click.fingerprint === fingerprint)

  it('replays a success within its window if and only if no other change succeeded in between (invariants 1 and 7)', () => {
    fc.assert(
      fc.property(history, (steps) =>
        play(steps, {}, (word, fingerprint, runs, now) => {
          const last = runsOf(runs, fingerprint).findLast(({ ended }) => ended?.outcome === 'succeeded')
          const { ended } = last ?? {}
          if (ended === undefined) return expect(word).not.toBe('replayed')
          const later = runs.filter(({ began }) => began > ended.order)
          const isBetween = later.some((run) => run.ended?.outcome === 'succeeded')
          // A change that is running or lost, or has an unknown outcome, may have intervened.
          const isUndecided = later.some((run) => run.ended === undefined || run.ended.outcome === 'unknown')
          if (isBetween) expect(word).not.toBe('replayed')
          else if (!isUndecided) expect(word === 'replayed').toBe(now < ended.at + windowMs)
        }),
      ),
      { numRuns: 1000 },
    )
  })

  it('does not free a running click if another click or another instance settles (invariant 2, fencing)', () => {
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

  it('stores an unknown outcome for 24 hours (invariant 3)', () => {
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

  it('uses one context.idempotencyKey for all attempts of a click instance (invariant 4)', () => {
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

  it('reports data loss whenever an attempt settles without a stored document (invariant 5)', () => {
    const { begin, forget, settle, seen } = createDocument()
    const held = [begin(add), begin(undo)]
    for (const each of held) settle(each, 'rejected')
    expect(seen.losses).toBe(0)
    forget()
    for (const each of held) settle(each, 'rejected')
    expect(seen.losses).toBe(2)
    settle(begin(add), 'succeeded')
    expect(seen.losses).toBe(2)
  })

  it('allows every click to run again one day after the last step (invariant 6)', () => {
    fc.assert(
      fc.property(history, fc.constantFrom<Partial<ClaimRequest>>({}, honours), (steps, changes) => {
        const lastWait = { wait: dayMs + leaseMs }
        const all = ['a', 'b', 'c'].map((request) => ({ request }))
        let checked = 0
        play([...steps, lastWait, ...all], changes, (word) => {
          checked += 1
          const requests = steps.filter((one) => 'request' in one).length
          if (checked > requests) expect(word).toBe('claimed')
        })
      }),
      { numRuns: 1000 },
    )
  })
})
