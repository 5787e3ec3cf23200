import { describe, expect, it } from 'vitest'
import { StoreError } from '@storeport/core'
import { dayMs } from '../../src/retries/protocol.ts'
import {
  add,
  askedOf,
  click,
  createDocument,
  honours,
  leaseMs,
  minute,
  named,
  reconciles,
  undo,
  windowMs,
} from './document.ts'

describe('identity', () => {
  it.each([{ v: 2, instances: [] }, { v: 1 }, { v: 0, instances: [] }])(
    'decision 2: a document of an unknown version is an error, and never free: %j',
    (content) => {
      const { forget, ask, settle, seen } = createDocument()
      forget(content)
      expect(() => ask(add)).toThrow(expect.objectContaining({ code: 'store_unavailable', retryAfter: 30 }))
      const held = { ...askedOf('attempt', add), key: 'key', began: 1 }
      expect(() => settle(held, 'succeeded')).toThrow(StoreError)
      expect(seen.writes).toBe(0)
    },
  )

  it('decision 4: the attempts of an instance have one key, and a new instance has a new one', () => {
    const { begin, settle, wait } = createDocument()
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
    const other = createDocument()
    const rejected = other.run(add, 'rejected')
    expect(other.begin(add).key).not.toBe(rejected.key)
  })

  it('decision 4: a named click has its derived key, also after a rejection and after the ledger was lost', () => {
    const { run, begin, forget } = createDocument()
    expect(run(named, 'rejected').key).toBe('derived key')
    expect(run(named, 'unknown').key).toBe('derived key')
    forget()
    expect(begin(named).key).toBe('derived key')
  })
})

describe('what came between', () => {
  it('decision 5: a change is between if it succeeded and began after the success was known', () => {
    const { run, ask } = createDocument()
    run(add)
    expect(ask(add)).toBe('replayed')
    run(undo, 'rejected')
    expect(ask(add)).toBe('replayed')
    run(undo)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 5: if several attempts may have made the change, it began with the oldest', () => {
    const { begin, run, settle, wait, ask } = createDocument()
    begin(undo)
    run(add)
    wait(leaseMs)
    const retry = begin(undo, honours)
    run(click('swap'))
    settle(retry, 'succeeded')
    expect([ask(click('swap')), ask(undo), ask(add)]).toEqual(['replayed', 'replayed', 'claimed'])
  })

  it('decision 5: a change that two attempts report counts from the first', () => {
    const { begin, run, settle, wait, ask } = createDocument()
    const first = begin(undo)
    wait(leaseMs)
    run(add)
    const second = begin(undo, honours)
    settle(first, 'succeeded')
    settle(second, 'succeeded')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 5: a named change that two attempts report counts from the first', () => {
    const { enter, run, settle, wait, ask } = createDocument()
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
    const { begin, run, settle, ask, wait } = createDocument()
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
    const { run, begin, settle, wait, ask } = createDocument()
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

  it('decision 6: a change that began after the window does not hold the success', () => {
    const { begin, run, wait, ask } = createDocument()
    run(add)
    wait(windowMs)
    begin(undo)
    expect(ask(add)).toBe('claimed')
  })

  it('decision 7: order needs no clock, and a replay takes no number', () => {
    const { run, ask, begin, settle } = createDocument()
    for (const one of [add, undo, add, undo]) run(one)
    const { began } = begin(click('swap'))
    expect([ask(undo), ask(undo)]).toEqual(['store_unavailable 5', 'store_unavailable 5'])
    settle({ ...askedOf('x', add), key: 'none', began: 1 }, 'released')
    expect(begin(click('delay')).began).toBe(began + 1)
  })

  it('decision 9: add without a response, undo, add: the third request is a retry of the first', () => {
    const { run, begin, ask } = createDocument()
    const { key } = run(add, 'unknown')
    run(undo)
    expect(ask(add)).toBe('store_unavailable 3600')
    expect(begin(add, honours).key).toBe(key)
  })
})
