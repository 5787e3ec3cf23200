import { describe, expect, it } from 'vitest'
import { add, createDocument, heldBy, honours, leaseMs, minute, reconciles, undo, young } from './document.ts'

describe('reconcile', () => {
  it('treats a late success and a retry after not_applied as the same click (decision 16)', () => {
    const { begin, settle, startAgain, wait, send } = createDocument()
    const paused = begin(add)
    wait(leaseMs)
    const second = startAgain(begin(add, reconciles))
    settle(paused, 'succeeded')
    settle(second, 'succeeded')
    expect([second.key, send(add)]).toEqual([paused.key, 'replayed'])
  })

  it('returns the time since the start of the first and the last attempt (decision 17)', () => {
    const { run, claim, wait } = createDocument()
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

  it('starts a retry only if its lease has not expired and no other attempt has taken over (decision 18)', () => {
    const { run, begin, start, wait, settle } = createDocument()
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

  it.each(['rejected', 'unknown'] as const)(
    'continues to reconcile if an earlier attempt ends with the outcome %s during reconcile (decision 18)',
    (outcome) => {
      const { begin, settle, start, wait, send } = createDocument()
      const paused = begin(add)
      wait(leaseMs)
      const reconciling = begin(add, reconciles)
      settle(paused, outcome)
      expect(send(add, reconciles)).toBe('running')
      expect(start(reconciling)).toMatchObject({ attempt: reconciling.attempt })
    },
  )

  it('leaves the outcome unknown if reconcile returns unknown or the lease expires (decision 18)', () => {
    const { run, begin, settle, send, wait } = createDocument()
    run(add, 'unknown')
    settle(begin(add, reconciles), 'unknown')
    expect(send(add)).toBe('store_unavailable 3600')
    begin(add, reconciles)
    wait(leaseMs)
    expect(send(add, reconciles)).toBe('reconcile')
  })

  it('reconciles the first attempt on a young ledger, without attempt ages (decision 29)', () => {
    const { claim, startAgain, settle, send } = createDocument()
    const claimed = claim(add, young)
    expect(claimed).toEqual({ state: 'reconcile', held: expect.objectContaining({ began: 0 }) })
    expect(send(add, young)).toBe('running')
    const started = startAgain(heldBy(claimed))
    settle(started, 'rejected')
    expect(send(add, { isYoung: true })).toBe('claimed')
  })

  it('does not reconcile a click if the young ledger contains its success (decision 29)', () => {
    const { run, send, begin, settle } = createDocument()
    settle(begin(add, young), 'succeeded')
    expect(send(add, young)).toBe('replayed')
    run(undo)
    expect(send(add, young)).toBe('claimed')
  })

  it('stores no open attempt if the first attempt on a young ledger is lost during reconcile (decision 29)', () => {
    const { begin, settle, send, wait } = createDocument()
    settle(begin(add, young), 'unknown')
    begin(add, young)
    wait(leaseMs)
    expect(send(add, young)).toBe('reconcile')
    wait(leaseMs)
    expect(send(add)).toBe('claimed')
  })
})
