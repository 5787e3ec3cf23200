import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, leaseMs, minute, named, reconciles, undo, windowMs } from './document.ts'

describe('outcomes', () => {
  it("stores an attempt's late success even if a later attempt is rejected (decision 10)", () => {
    const { begin, settle, wait, send } = createDocument()
    const first = begin(add)
    wait(leaseMs)
    const second = begin(add, honours)
    settle(first, 'unreported')
    settle(second, 'rejected')
    expect(send(add)).toBe('replayed')
  })

  it('ignores the outcome of an attempt from an earlier instance (decision 10)', () => {
    const { run, begin, settle, wait, send } = createDocument()
    const old = run(add)
    wait(windowMs)
    const running = begin(add)
    for (const outcome of ['rejected', 'unknown', 'succeeded', 'released'] as const) settle(old, outcome)
    expect(send(add)).toBe('running')
    settle(running, 'rejected')
    expect(send(add)).toBe('claimed')
  })

  it('ignores a second outcome of an attempt after a later attempt has begun (decision 10)', () => {
    const { begin, settle, wait, send } = createDocument()
    const first = begin(add)
    settle(first, 'unknown')
    wait(minute)
    begin(add, honours)
    settle(first, 'unknown')
    settle(first, 'rejected')
    expect(send(add, honours)).toBe('running')
  })

  it.each([
    ['rejected', 'replayed'],
    ['succeeded', 'claimed'],
  ] as const)(
    'orders a late success by when its attempt began; outcome of the newer change: %s (decision 10)',
    (outcome, word) => {
      const { begin, settle, run, wait, send } = createDocument()
      const held = begin(add)
      wait(dayMs)
      run(undo, outcome)
      settle(held, 'unreported')
      expect(send(add)).toBe(word)
    },
  )

  it('does not end a newer running instance if an attempt from the previous day succeeds (decision 10)', () => {
    const { begin, settle, wait, send } = createDocument()
    const old = begin(add)
    wait(dayMs)
    begin(add)
    settle(old, 'succeeded')
    expect(send(add)).toBe('running')
  })

  it('frees a click only if every attempt of its instance was rejected (decision 11)', () => {
    const { begin, settle, wait, send } = createDocument()
    settle(begin(add), 'unknown')
    wait(minute)
    settle(begin(add, honours), 'rejected')
    expect(send(add)).toBe('store_unavailable 3600')
    wait(dayMs - 2 * minute)
    expect(send(add)).toBe('store_unavailable 60')
    wait(minute)
    expect(send(add)).toBe('claimed')
  })

  it('treats not_applied as a rejection of every earlier attempt (decision 11)', () => {
    const { begin, settle, startAgain, send } = createDocument()
    settle(begin(add), 'unknown')
    const started = startAgain(begin(add, reconciles))
    settle(started, 'rejected')
    expect(send(add)).toBe('claimed')
  })

  it('never deletes the record of the oldest attempt (decision 11)', () => {
    const { begin, settle, send } = createDocument()
    const first = begin(add)
    settle(first, 'unknown')
    const others = Array.from({ length: 20 }, () => {
      const held = begin(add, honours)
      settle(held, 'unknown')
      return held
    })
    for (const held of [first, ...others]) settle(held, 'rejected')
    expect(send(add)).toBe('store_unavailable 3600')
  })

  it('stores an unreported success for its whole window if the window is longer than 10 minutes (decision 12)', () => {
    const { run, wait, send } = createDocument()
    run(named, 'unreported')
    wait(dayMs - 1)
    expect(send(named)).toBe('replayed')
    wait(dayMs - 1)
    expect(send(named)).toBe('replayed')
    wait(1)
    expect(send(named)).toBe('claimed')
  })

  it('starts the window of an unreported success only at its first replay (decision 12)', () => {
    const { run, wait, send } = createDocument()
    run(add, 'unreported')
    wait(10 * minute - 1)
    expect(send(add)).toBe('replayed')
    wait(windowMs - 1)
    expect(send(add)).toBe('replayed')
    wait(1)
    expect(send(add)).toBe('claimed')
  })

  it('starts the window when reconcile reports a success (decision 12)', () => {
    const { run, begin, settle, wait, send } = createDocument()
    run(add, 'unknown')
    wait(60 * minute)
    settle(begin(add, reconciles), 'succeeded')
    wait(windowMs - 1)
    expect(send(add, reconciles)).toBe('replayed')
    wait(1)
    expect(send(add, reconciles)).toBe('claimed')
  })

  it('marks a stored success as unreported if the caller has disconnected (decision 12)', () => {
    const { run, settle, wait, send } = createDocument()
    const held = run(add)
    settle(held, 'unreported')
    settle({ ...held, attempt: 'another' }, 'unreported')
    wait(10 * minute - 1)
    expect(send(add)).toBe('replayed')
  })

  it('does not extend the window if an attempt settles again after the first replay (decision 12)', () => {
    const { begin, settle, wait, send } = createDocument()
    const held = begin(add)
    settle(held, 'unreported')
    expect(send(add)).toBe('replayed')
    wait(windowMs)
    settle(held, 'unreported')
    expect(send(add)).toBe('claimed')
  })

  it.each([
    ['succeeded', 'claimed'],
    ['unreported', 'claimed'],
    ['unknown', 'store_unavailable 3600'],
  ] as const)(
    'replays a success with a window of 0 only to requests that waited for it; outcome: %s (decision 13)',
    (outcome, word) => {
      const off = click('add', { windowMs: 0 })
      const { begin, settle, send, join, wait } = createDocument()
      const held = begin(off)
      const seen = join(off)
      wait(100)
      settle(held, outcome)
      if (outcome !== 'unknown') expect(send(off, { seen, waitedMs: 100 })).toBe('replayed')
      expect(send(off)).toBe(word)
    },
  )

  it('retries after an unknown outcome if the store honors the key; otherwise returns 503 (decision 14)', () => {
    const { run, send, begin, wait } = createDocument()
    const { key } = run(add, 'unknown')
    expect(send(add)).toBe('store_unavailable 3600')
    wait(dayMs - 61_000)
    expect(send(add)).toBe('store_unavailable 61')
    expect(begin(add, honours).key).toBe(key)
    expect(send(add)).toBe('running')
  })
})
