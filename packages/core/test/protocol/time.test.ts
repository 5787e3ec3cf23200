import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, click, createDocument, honours, leaseMs, minute, retainMs, undo, windowMs } from './document.ts'

describe('time', () => {
  it('decision 20: a renewed lease does not lapse', () => {
    const { begin, renew, ask, wait } = createDocument()
    const held = begin(add)
    for (let renewals = 0; renewals < 10; renewals++) {
      wait(leaseMs - 1)
      renew(held)
    }
    wait(leaseMs - 1)
    expect(ask(add, honours)).toBe('running')
    wait(1)
    expect(ask(add, honours)).toBe('claimed')
  })

  it('decision 20: an attempt that has ended is not renewed', () => {
    const { begin, renew, settle, ask } = createDocument()
    const held = begin(add)
    settle(held, 'unknown')
    const other = begin(add, honours)
    settle(other, 'rejected')
    renew(other)
    expect(ask(add, honours)).toBe('claimed')
  })

  it.each([
    ['succeeded', 'replayed'],
    ['rejected', 'claimed'],
    ['unknown', 'store_unavailable 3600'],
  ] as const)('decision 20: an attempt whose lease has lapsed still settles: %s', (outcome, word) => {
    const { begin, settle, ask, wait } = createDocument()
    const held = begin(add)
    wait(leaseMs + minute)
    settle(held, outcome)
    expect(ask(add)).toBe(word)
  })

  it('decision 21: the success that a request waited for is its response, whatever came since', () => {
    const { begin, join, settle, run, wait, ask } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'succeeded')
    run(undo)
    wait(retainMs - 1)
    expect(ask(add, { seen, waitedMs: retainMs })).toBe('replayed')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 21: a request whose instance the ledger has lost stops', () => {
    const { begin, join, forget, ask } = createDocument()
    begin(add)
    const seen = join(add)
    forget()
    expect(ask(add, { seen })).toBe('store_unavailable 30')
  })

  it('decision 21: a request waits for an attempt whose end the ledger stores after a loss', () => {
    const { begin, join, forget, run, settle, ask } = createDocument()
    for (let count = 0; count < 3; count++) run(click(`${count}`))
    const held = begin(add)
    const seen = join(add)
    forget()
    settle(held, 'succeeded')
    expect(ask(add, { seen })).toBe('replayed')
  })

  it('decision 21: a document stays for the requests that wait, although no click is left in it', () => {
    const { begin, join, settle, wait, ask } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'rejected')
    wait(retainMs - 1)
    expect(ask(add, { seen })).toBe('claimed')
  })

  it('decision 21: a request whose instance was dropped stops', () => {
    const { begin, join, settle, run, ask } = createDocument()
    const held = begin(add)
    const seen = join(add)
    settle(held, 'succeeded')
    run(undo)
    run(click('swap'))
    expect(ask(add, { seen })).toBe('store_unavailable 30')
    expect(ask(add)).toBe('claimed')
  })

  it('decision 21: a window is judged at the arrival of the request', () => {
    const { run, wait, ask } = createDocument()
    run(add)
    wait(windowMs + 500)
    expect(ask(add, { waitedMs: 501 })).toBe('replayed')
    expect(ask(add, { waitedMs: 500 })).toBe('claimed')
  })

  it('decision 22: a time in the future becomes now and is saved, once', () => {
    const customer = createDocument()
    customer.run(add)
    customer.wait(-dayMs)
    expect(customer.ask(add)).toBe('replayed')
    const { writes } = customer.seen
    expect(customer.ask(add)).toBe('replayed')
    expect(customer.seen.writes).toBe(writes)
    customer.wait(windowMs)
    expect(customer.ask(add)).toBe('claimed')
  })

  it('decision 22: a lease and an unknown outcome from the future last no longer than others', () => {
    const running = createDocument()
    running.begin(add)
    running.wait(-dayMs)
    expect(running.ask(add)).toBe('running')
    running.wait(leaseMs)
    expect(running.ask(add)).toBe('store_unavailable 3600')
    running.wait(dayMs - leaseMs)
    expect(running.ask(add)).toBe('claimed')
  })
})
