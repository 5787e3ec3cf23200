import type { StoredClicks } from '@storeport/core'
import type { Change } from '../../src/contract/ledger.ts'
import type { ClaimRequest, Claim, ClickNames, Held, Outcome } from '../../src/retries/ledger.ts'
import { claimClick, dayMs, enterOrder, renewLease, settleClick, startReconciled } from '../../src/retries/protocol.ts'

/*
 * Helpers for the tests of the click protocol. Decisions that involve more than its pure functions are tested in:
 *
 * 1 to 4, identity            ../click.test.ts and ../retries/clicks.test.ts
 * 8                           ../retries/clicks.test.ts
 * 12, 14, 15, 17, 18 and 24   ../retries/unknown.test.ts, with the guard
 * 29                          ../retries/young-ledger.test.ts
 * 12, 18 to 20 and 34         ../retries/time.test.ts
 * 23                          ../retries/stores-clicks.test.ts
 * 24, 25 and 28               ../retries/ledger-faults.test.ts
 * 27, memory                  ../memory-ledger.test.ts
 * 30 and `scope`              ../options.test.ts
 * 26 and 28, Redis            packages/redis/test/redis-ledger.slow.test.ts
 * 28 and 31 to 34, SQL        test/ledgers
 * 35, SQL                     packages/store-sql/test/clicks
 * 36 to 39                    test/explore
 */

export const windowMs = 10_000
export const leaseMs = 35_000
export const retainMs = 65_000
export const minute = 60_000

export const click = (fingerprint: string, changes: Partial<ClickNames> = {}): ClickNames => ({
  fingerprint,
  windowMs,
  ...changes,
})
export const add = click('add')
export const undo = click('undo')
export const named = click('add', { name: 'name of the click', derivedKey: 'derived key', windowMs: dayMs })

export const toClaim = (attempt: string, one: ClickNames, changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
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
export const honours = { repeatableMs: Infinity }
export const reconciles = { canReconcile: true }
export const young = { ...reconciles, isYoung: true }

/** Returns the state of a claim, or its error code and Retry-After. */
export function stateOf(claim: Claim): string {
  return claim.state === 'stopped' ? `${claim.error.code} ${claim.error.retryAfter}` : claim.state
}

export function heldBy(claim: Claim): Held {
  if (claim.state !== 'claimed' && claim.state !== 'reconcile') throw new Error(`not admitted: ${stateOf(claim)}`)
  return claim.held
}

let attempts = 0

/** Creates a stored document with the clock of its ledger, and functions that claim and settle its clicks. */
export function createDocument(clock = { now: 10 * dayMs }) {
  let stored: StoredClicks | undefined
  let until = Infinity
  const seen = { writes: 0, losses: 0 }
  function apply<Result>(change: (content: StoredClicks | undefined, now: number) => Change<Result>): Result {
    if (clock.now >= until) stored = undefined
    const { result, document: after, ttlMs = 0, hasLostData } = change(stored, clock.now)
    if (hasLostData === true) seen.losses += 1
    if (after === undefined) return result
    seen.writes += 1
    stored = JSON.parse(JSON.stringify(after))
    until = clock.now + ttlMs
    return result
  }
  const self = {
    clock,
    seen,
    read: () => stored,
    forget: (content?: StoredClicks) => {
      stored = content
      until = Infinity
    },
    claim: (one: ClickNames, changes: Partial<ClaimRequest> = {}): Claim => {
      attempts += 1
      const request = toClaim(`attempt ${attempts}`, one, changes)
      return apply((content, now) => claimClick(content, request, now))
    },
    /** Sends a request and returns the state of its claim. */
    send: (one: ClickNames, changes: Partial<ClaimRequest> = {}) => stateOf(self.claim(one, changes)),
    /** Claims a click for an attempt. */
    begin: (one: ClickNames, changes: Partial<ClaimRequest> = {}): Held => heldBy(self.claim(one, changes)),
    /** Claims a click while another attempt of the click runs. Returns `seen`. */
    join: (one: ClickNames): number => {
      const claim = self.claim(one)
      if (claim.state !== 'running') throw new Error(`does not wait: ${stateOf(claim)}`)
      return claim.seen
    },
    /** Adds a named attempt to the sequence of the customer's changes. */
    enter: (held: Held, isReconciled = false): Held => {
      const entered = apply((content, now) => enterOrder(content, held, isReconciled, now))
      if (entered instanceof Error) throw entered
      return entered
    },
    start: (held: Held) => apply((content, now) => startReconciled(content, held, now)),
    /** Starts an attempt after `reconcile` has returned `not_applied`. */
    startAgain: (held: Held): Held => {
      const started = self.start(held)
      if (started === 'lost') throw new Error('lost')
      return started
    },
    settle: (held: Held, outcome: Outcome, isOrder = false) =>
      apply((content, now) => settleClick(content, held, outcome, now, isOrder)),
    renew: (held: Held) => apply((content, now) => renewLease(content, held, now)),
    run: (one: ClickNames, outcome: Outcome = 'succeeded', changes: Partial<ClaimRequest> = {}): Held => {
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
