import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, leaseMs, retainMs, undo, windowMs } from './document.ts'

describe('time', () => {
  it('does not expire a renewed lease (decision 20)', () => {
    const { begin, renew, send, wait } = createDocument()
    const held = begin(add)
    for (let renewals = 0; renewals < 10; renewals++) {
      wait(leaseMs - 1)
      renew(held)
    }
    wait(leaseMs - 1)
    expect(send(add, honours)).toBe('running')
    wait(1)
    expect(send(add, honours)).toBe('claimed')
  })

  it('replays a success to a waiting request, even after another change (decision 21)', () => {
    const { begin, join, settle, run, wait, send } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'succeeded')
    run(undo)
    wait(retainMs - 1)
    expect(send(add, { seen, waitedMs: retainMs })).toBe('replayed')
    expect(send(add)).toBe('claimed')
  })

  it('returns 503 for a waiting request if the ledger has lost the click (decision 21)', () => {
    const { begin, join, forget, send } = createDocument()
    begin(add)
    const seen = join(add)
    forget()
    expect(send(add, { seen })).toBe('store_unavailable 30')
  })

  it('replays a success to a waiting request if the attempt settles after the ledger loses its data (decision 21)', () => {
    const { begin, join, forget, run, settle, send } = createDocument()
    for (let count = 0; count < 3; count++) run(click(`${count}`))
    const held = begin(add)
    const seen = join(add)
    forget()
    settle(held, 'succeeded')
    expect(send(add, { seen })).toBe('replayed')
  })

  it('does not delete an empty document while requests may still wait (decision 21)', () => {
    const { begin, join, settle, wait, send } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'rejected')
    wait(retainMs - 1)
    expect(send(add, { seen })).toBe('claimed')
  })

  it('returns 503 for a waiting request if the click was deleted after later changes (decision 21)', () => {
    const { begin, join, settle, run, send } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'succeeded')
    run(undo)
    run(click('swap'))
    expect(send(add, { seen })).toBe('store_unavailable 30')
    expect(send(add)).toBe('claimed')
  })

  it('compares the window with the arrival time of the request (decision 21)', () => {
    const { run, wait, send } = createDocument()
    run(add)
    wait(windowMs + 500)
    expect(send(add, { waitedMs: 501 })).toBe('replayed')
    expect(send(add, { waitedMs: 500 })).toBe('claimed')
  })

  it('replaces a stored future time with the current time, and saves the correction once (decision 22)', () => {
    const customer = createDocument()
    customer.run(add)
    customer.wait(-dayMs)
    expect(customer.send(add)).toBe('replayed')
    const { writes } = customer.seen
    expect(customer.send(add)).toBe('replayed')
    expect(customer.seen.writes).toBe(writes)
    customer.wait(windowMs)
    expect(customer.send(add)).toBe('claimed')
  })

  it('limits a lease and an unknown outcome with a future start time to their normal duration (decision 22)', () => {
    const running = createDocument()
    running.begin(add)
    running.wait(-dayMs)
    expect(running.send(add)).toBe('running')
    running.wait(leaseMs)
    expect(running.send(add)).toBe('store_unavailable 3600')
    running.wait(dayMs - leaseMs)
    expect(running.send(add)).toBe('claimed')
  })
})
