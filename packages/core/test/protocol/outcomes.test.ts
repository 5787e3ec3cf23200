import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, minute, named, reconciles, undo, windowMs } from './document.ts'

describe('outcomes', () => {
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
    'gives a late success the position at which its attempt began; outcome of the newer change: %s (decision 10)',
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
    'replays a success with a window of 0 only to waiting requests; outcome: %s (decision 13)',
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
})
