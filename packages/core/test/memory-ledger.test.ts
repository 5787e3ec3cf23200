import { memoryLedger, StoreError } from '@storeport/core'
import { describe, expect, it, vi } from 'vitest'
import type { Attempt, Outcome } from '../src/retries/attempt.ts'
import { claim, settle } from '../src/retries/protocol.ts'

/** Creates a small ledger with a clock, and functions that claim and run clicks in it. */
function openLedger(maxDocuments: number, hasListener = true) {
  const clock = { now: 1000 }
  const notices: string[] = []
  const onNotice = (notice: string) => void notices.push(notice)
  const ledger = memoryLedger({ maxDocuments, now: () => clock.now, ...(hasListener && { onNotice }) })
  const claimClick = (customer: string, attempt = newAttempt()) =>
    ledger.update(customer, (stored, now) => claim(stored, attempt, now)).state
  const run = (customer: string, outcome: Outcome) => {
    const attempt = newAttempt()
    expect(claimClick(customer, attempt)).toBe('claimed')
    ledger.update(customer, (stored, now) => settle(stored, attempt, outcome, now))
  }
  return { clock, notices, run, claimClick: (customer: string) => claimClick(customer) }
}

function newAttempt(): Attempt {
  const times = { windowMs: 10_000, leaseMs: 5000, retainMs: 0, waitedMs: 0, repeatableMs: 0 }
  return { id: crypto.randomUUID(), key: '', name: '', body: 'add', ...times, canReconcile: false, isClaimed: false }
}

describe('full memory ledger (rule 18)', () => {
  it('deletes the oldest success, but never a running click or a click with an unknown outcome', () => {
    const { claimClick, run } = openLedger(3)
    expect(claimClick('runs')).toBe('claimed')
    run('unknown', 'unknown')
    run('ended', 'succeeded')
    run('next', 'succeeded')
    expect(['runs', 'unknown', 'next'].map(claimClick)).toEqual(['running', 'unknown', 'replayed'])
    expect(claimClick('ended')).toBe('claimed')
  })

  it('rejects a new customer with store_unavailable while no document can be deleted', () => {
    const { clock, claimClick } = openLedger(2)
    for (const customer of ['one', 'two']) expect(claimClick(customer)).toBe('claimed')
    expect(() => claimClick('three')).toThrow(new StoreError('store_unavailable'))
    // A repeat adds no document.
    expect(claimClick('one')).toBe('running')
    clock.now += 2 * 24 * 60 * 60_000
    expect(claimClick('three')).toBe('claimed')
  })

  it('logs one notice for unexpired documents, on the console by default, and none for expired documents', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const [{ run, notices }, silent] = [openLedger(2), openLedger(1, false)]
    const expiring = openLedger(100)
    for (let customer = 0; customer < 4; customer++) run(`${customer}`, 'succeeded')
    for (let customer = 0; customer < 2; customer++) silent.run(`${customer}`, 'succeeded')
    for (let customer = 0; customer < 5000; customer++) {
      expiring.run(`${customer}`, 'succeeded')
      expiring.clock.now += 6000
    }
    expect(notices).toEqual([expect.stringContaining('more than 2 customers are stored')])
    expect(warn).toHaveBeenCalledOnce()
    expect(expiring.notices).toEqual([])
    warn.mockRestore()
  })
})
