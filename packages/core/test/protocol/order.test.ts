import { describe, expect, it } from 'vitest'
import { StoreError } from '@storeport/core'
import { dayMs } from '../../src/retries/protocol.ts'
import {
  add,
  toClaim,
  click,
  createDocument,
  honours,
  leaseMs,
  minute,
  reconciles,
  undo,
  windowMs,
} from './document.ts'

it('gives a request that waited outside the ledger the success, even after another change (decision 21)', () => {
  const { run, send } = createDocument()
  const { attempt } = run(add)
  run(undo)
  expect(send(add, { awaited: ['rejected attempt', attempt] })).toBe('replayed')
  expect(send(add)).toBe('claimed')
})

describe('identity', () => {
  it.each([{ v: 2, instances: [] }, { v: 1 }, { v: 0, instances: [] }])(
    'rejects a document with an unsupported version: %j (decision 2)',
    (content) => {
      const { forget, send, settle, seen } = createDocument()
      forget(content)
      expect(() => send(add)).toThrow(expect.objectContaining({ code: 'store_unavailable', retryAfter: 30 }))
      const held = { ...toClaim('attempt', add), key: 'key', began: 1 }
      expect(() => settle(held, 'succeeded')).toThrow(StoreError)
      expect(seen.writes).toBe(0)
    },
  )

  it('gives the instance after a rejection a new key (decision 4)', () => {
    const { begin, run } = createDocument()
    const rejected = run(add, 'rejected')
    expect(begin(add).key).not.toBe(rejected.key)
  })
})

describe('sequence of changes', () => {
  it('gives a change the position of its oldest attempt that may have made the change (decision 5)', () => {
    const { begin, run, settle, wait, send } = createDocument()
    begin(undo)
    run(add)
    wait(leaseMs)
    const retry = begin(undo, honours)
    run(click('swap'))
    settle(retry, 'succeeded')
    expect([send(click('swap')), send(undo), send(add)]).toEqual(['replayed', 'replayed', 'claimed'])
  })

  it('gives a named change the position of its first attempt if two attempts succeed (decision 5)', () => {
    const { enter, run, settle, wait, send } = createDocument()
    const held = { ...toClaim('one', click('undo', { name: 'n' })), key: 'derived', began: 1 }
    const first = enter(held)
    wait(leaseMs)
    run(add)
    const second = enter({ ...held, attempt: 'two' })
    settle(first, 'succeeded', true)
    settle(second, 'succeeded', true)
    expect(send(add)).toBe('replayed')
  })

  it('rejects a repeat while another change is running or has an unknown outcome (decision 6)', () => {
    const { begin, run, settle, send, wait } = createDocument()
    run(add)
    const undoing = begin(undo)
    expect(send(add)).toBe('store_unavailable 5')
    settle(undoing, 'unknown')
    expect(send(add)).toBe('store_unavailable 3600')
    expect(send(add, reconciles)).toBe('store_unavailable 30')
    wait(dayMs - minute)
    expect(send(add)).toBe('store_unavailable 60')
    wait(minute)
    expect(send(add)).toBe('claimed')
  })

  it('does not expire a success while another change has an unknown outcome (decision 6)', () => {
    const { run, begin, settle, wait, send } = createDocument()
    run(click('add', { windowMs: 60 * minute }))
    wait(minute)
    const undoing = begin(undo)
    wait(30 * minute)
    settle(undoing, 'unknown')
    wait(60 * minute)
    run(click('swap'), 'rejected')
    expect(send(add)).toBe('store_unavailable 3600')
    settle(undoing, 'rejected')
    expect(send(add)).toBe('claimed')
  })

  it('expires a success if another change begins after the window of the success (decision 6)', () => {
    const { begin, run, wait, send } = createDocument()
    run(add)
    wait(windowMs)
    begin(undo)
    expect(send(add)).toBe('claimed')
  })

  it('assigns no sequence number to a rejected repeat (decision 7)', () => {
    const { run, send, begin, settle } = createDocument()
    for (const one of [add, undo, add, undo]) run(one)
    const { began } = begin(click('swap'))
    expect([send(undo), send(undo)]).toEqual(['store_unavailable 5', 'store_unavailable 5'])
    settle({ ...toClaim('x', add), key: 'none', began: 1 }, 'released')
    expect(begin(click('delay')).began).toBe(began + 1)
  })
})
