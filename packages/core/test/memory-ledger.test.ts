import { memoryLedger, StoreError } from '@storeport/core'
import { behavesLikeLedger, increase, look } from '@storeport/testing/behaves-like-ledger'
import { describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../src/retries/ledger.ts'
import { claimClick, settleClick } from '../src/retries/protocol.ts'
import { add, retainMs, toClaim } from './protocol/document.ts'

behavesLikeLedger('memory', async (clock) => {
  const ledger = memoryLedger({ now: () => clock.now })
  return [ledger, ledger]
})

/** Creates a small ledger with a clock, and functions that claim and run clicks in it. */
function openLedger(maxDocuments: number, hasListener = true) {
  const clock = { now: 1000 }
  const notices: string[] = []
  const onNotice = (notice: string) => void notices.push(notice)
  const ledger = memoryLedger({ maxDocuments, now: () => clock.now, ...(hasListener && { onNotice }) })
  const claim = (customer: string) =>
    ledger.update(customer, (stored, now) => claimClick(stored, toClaim(crypto.randomUUID(), add), now))
  const run = (customer: string, outcome: Outcome) => {
    const claimed = claim(customer)
    if (claimed.state !== 'claimed') throw new Error(`unexpected: ${claimed.state}`)
    ledger.update(customer, (stored, now) => settleClick(stored, claimed.held, outcome, now))
  }
  return { clock, notices, claim, run }
}

describe('full memory ledger', () => {
  it('deletes the oldest ended click, but never a running click or a click with an unknown outcome (decision 27)', () => {
    const { claim, run } = openLedger(3)
    expect(claim('runs')).toMatchObject({ state: 'claimed' })
    run('unknown', 'unknown')
    run('ended', 'succeeded')
    run('next', 'succeeded')
    expect(claim('runs')).toMatchObject({ state: 'running' })
    expect(claim('unknown')).toMatchObject({ state: 'stopped' })
    expect(claim('next')).toMatchObject({ state: 'replayed' })
    expect(claim('ended')).toMatchObject({ state: 'claimed' })
  })

  it('rejects a new click with store_unavailable while all stored clicks are running', () => {
    const { clock, claim } = openLedger(2)
    claim('one')
    claim('two')
    expect(() => claim('three')).toThrow(new StoreError('store_unavailable'))
    // A repeat adds no document.
    expect(claim('one')).toMatchObject({ state: 'running' })
    clock.now += 2 * 24 * 60 * 60_000
    expect(claim('three')).toMatchObject({ state: 'claimed' })
  })

  it('logs only one notice when it deletes several unexpired clicks', () => {
    const { run, notices } = openLedger(2)
    run('one', 'succeeded')
    run('two', 'succeeded')
    expect(notices).toEqual([])
    run('three', 'succeeded')
    run('four', 'succeeded')
    expect(notices).toEqual([expect.stringContaining('more than 2 clicks are stored')])
  })

  it('logs nothing when it deletes expired clicks', () => {
    const { clock, run, notices } = openLedger(100)
    for (let index = 0; index < 10_000; index++) {
      run(`customer-${index}`, 'succeeded')
      clock.now += retainMs / 10
    }
    expect(notices).toEqual([])
  })

  it('warns on the console by default', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { run } = openLedger(1, false)
    for (const customer of ['a', 'b']) run(customer, 'succeeded')
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })
})

it('updates a memory ledger synchronously', () => {
  const ledger = memoryLedger()
  expect(ledger.update('a:b', increase)).toBe(1)
  expect(ledger.update('a:b', look)).toBe(1)
})
