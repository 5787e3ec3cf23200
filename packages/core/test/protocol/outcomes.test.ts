import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, leaseMs, minute, named, reconciles, undo, windowMs } from './document.ts'

describe('success, rejection, unknown', () => {
  it('decision 10: a late success of any attempt survives a later rejection', () => {
    const { begin, settle, wait, ask } = createDocument()
    const first = begin(add)
    wait(leaseMs)
    const second = begin(add, honours)
    settle(first, 'unreported')
    settle(second, 'rejected')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 10: an attempt of another instance changes nothing', () => {
    const { run, begin, settle, wait, ask } = createDocument()
    const old = run(add)
    wait(windowMs)
    const running = begin(add)
    for (const outcome of ['rejected', 'unknown', 'succeeded', 'released'] as const) settle(old, outcome)
    expect(ask(add)).toBe('running')
    settle(running, 'rejected')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 10: a settle that runs twice, the second time after a later attempt began, changes nothing', () => {
    const { begin, settle, wait, ask } = createDocument()
    const first = begin(add)
    settle(first, 'unknown')
    wait(minute)
    begin(add, honours)
    settle(first, 'unknown')
    settle(first, 'rejected')
    expect(ask(add, honours)).toBe('running')
  })

  it.each([
    ['rejected', 'replayed'],
    ['succeeded', 'claimed'],
  ] as const)('decision 10: a success after a day counts from where it began: the next one %s', (outcome, word) => {
    const { begin, settle, run, wait, ask } = createDocument()
    const held = begin(add)
    wait(dayMs)
    run(undo, outcome)
    settle(held, 'unreported')
    expect(ask(add)).toBe(word)
  })

  it('decision 10: a success that comes after a day does not end a newer instance that runs', () => {
    const { begin, settle, wait, ask } = createDocument()
    const old = begin(add)
    wait(dayMs)
    begin(add)
    settle(old, 'succeeded')
    expect(ask(add)).toBe('running')
  })

  it('decision 11: a rejection frees the click only if every attempt of the instance was rejected', () => {
    const { begin, settle, wait, ask } = createDocument()
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
    const { begin, settle, startAgain, ask } = createDocument()
    settle(begin(add), 'unknown')
    const started = startAgain(begin(add, reconciles))
    settle(started, 'rejected')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 11: of many attempts the oldest is never dropped', () => {
    const { begin, settle, ask } = createDocument()
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

  it('decision 12: an unreported success is stored for its window if that is longer', () => {
    const { run, wait, ask } = createDocument()
    run(named, 'unreported')
    wait(dayMs - 1)
    expect(ask(named)).toBe('replayed')
    wait(dayMs - 1)
    expect(ask(named)).toBe('replayed')
    wait(1)
    expect(ask(named)).toBe('claimed')
  })

  it('decision 12: its first replay reports it and starts the window, and later replays extend nothing', () => {
    const { run, wait, ask } = createDocument()
    run(add, 'unreported')
    wait(10 * minute - 1)
    expect(ask(add)).toBe('replayed')
    wait(windowMs - 1)
    expect(ask(add)).toBe('replayed')
    wait(1)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 12: a success that reconcile finds starts its window when it is found', () => {
    const { run, begin, settle, wait, ask } = createDocument()
    run(add, 'unknown')
    wait(60 * minute)
    settle(begin(add, reconciles), 'succeeded')
    wait(windowMs - 1)
    expect(ask(add, reconciles)).toBe('replayed')
    wait(1)
    expect(ask(add, reconciles)).toBe('claimed')
  })

  it('decision 12: a success that was stored with its change becomes unreported when its caller has left', () => {
    const { run, settle, wait, ask } = createDocument()
    const held = run(add)
    settle(held, 'unreported')
    settle({ ...held, attempt: 'another' }, 'unreported')
    wait(10 * minute - 1)
    expect(ask(add)).toBe('replayed')
  })

  it('decision 12: a settle that runs again after the first replay does not extend the window', () => {
    const { begin, settle, wait, ask } = createDocument()
    const held = begin(add)
    settle(held, 'unreported')
    expect(ask(add)).toBe('replayed')
    wait(windowMs)
    settle(held, 'unreported')
    expect(ask(add)).toBe('claimed')
  })

  it.each([
    ['succeeded', 'claimed'],
    ['unreported', 'claimed'],
    ['unknown', 'store_unavailable 3600'],
  ] as const)('decision 13: window 0 turns off only the replay of a success that has ended: %s', (outcome, word) => {
    const off = click('add', { windowMs: 0 })
    const { begin, settle, ask, join, wait } = createDocument()
    const held = begin(off)
    const seen = join(off)
    wait(100)
    settle(held, outcome)
    if (outcome !== 'unknown') expect(ask(off, { seen, waitedMs: 100 })).toBe('replayed')
    expect(ask(off)).toBe(word)
  })

  it('decision 14: an unknown click runs again under the same key if that is safe, else it stops for at most an hour', () => {
    const { run, ask, begin, wait } = createDocument()
    const { key } = run(add, 'unknown')
    expect(ask(add)).toBe('store_unavailable 3600')
    wait(dayMs - 61_000)
    expect(ask(add)).toBe('store_unavailable 61')
    expect(begin(add, honours).key).toBe(key)
    expect(ask(add)).toBe('running')
  })
})
