import { describe, expect, it } from 'vitest'
import { dayMs, isOpen } from '../../src/retries/protocol.ts'
import { add, askedOf, click, createDocument, heldBy, honours, named, reconciles, retainMs, undo } from './document.ts'

describe('storage', () => {
  it('decision 24: a name with another body is rejected in its own document, while it runs and after', () => {
    const other = click('another body', { name: named.name, derivedKey: 'another key', windowMs: dayMs })
    const { begin, settle, ask, wait } = createDocument()
    const held = begin(named)
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    settle(held, 'unknown')
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    settle(begin(named, honours), 'succeeded')
    wait(dayMs - 1)
    expect(ask(other)).toBe('idempotency_key_reused undefined')
    wait(1)
    expect(ask(other)).toBe('claimed')
  })

  it('decision 24: a named click has its place in the order of the customer', () => {
    const customer = createDocument()
    const gate = createDocument(customer.clock)
    customer.run(add)
    const held = gate.begin(named)
    const entry = customer.enter(held)
    expect(customer.ask(add)).toBe('store_unavailable 5')
    customer.settle(entry, 'unknown', true)
    gate.settle(held, 'unknown')
    expect(customer.ask(add)).toBe('store_unavailable 3600')
    // Resolving the named click settles its entry.
    const asking = gate.begin(named, reconciles)
    customer.settle(asking, 'succeeded', true)
    gate.settle(asking, 'succeeded')
    expect([customer.ask(add), gate.ask(named)]).toEqual(['claimed', 'replayed'])
  })

  it('decision 24: an attempt after not_applied takes a new place, since the earlier ones made no change', () => {
    const customer = createDocument()
    const gate = createDocument(customer.clock)
    const first = gate.begin(named)
    customer.settle(customer.enter(first), 'unknown', true)
    gate.settle(first, 'unknown')
    customer.run(undo)
    const started = gate.startAgain(gate.begin(named, reconciles))
    customer.settle(customer.enter(started, true), 'succeeded', true)
    expect(customer.ask(undo)).toBe('claimed')
  })

  it('decision 25: a claim, an entry and a start that run again after a lost answer get the same result', () => {
    const { claim, ask, enter, start, run } = createDocument()
    const asked = { attempt: 'one' }
    const claimed = heldBy(claim(add, asked))
    expect(claim(add, asked)).toEqual({ state: 'claimed', held: claimed })
    const held = { ...askedOf('two', named), key: 'k', began: 1 }
    expect(enter(held)).toEqual(enter(held))
    const other = click('undo')
    run(other, 'unknown')
    const reconciling = { ...reconciles, attempt: 'three' }
    expect(claim(other, reconciling)).toEqual(claim(other, reconciling))
    const asking = heldBy(claim(other, reconciling))
    expect(start(asking)).toEqual(start(asking))
    expect(ask(other)).toBe('running')
  })

  it('decision 25: a release is written even if nothing is held, so that a late claim finds another version', () => {
    const { settle, begin, ask, run } = createDocument()
    const lost = { ...askedOf('lost', add), key: 'lost', began: 0 }
    const customer = createDocument()
    customer.settle(lost, 'released')
    expect(customer.seen).toEqual({ writes: 1, losses: 0 })
    // The claim was stored after all; of a retry the request does not know the key.
    run(add, 'unknown')
    begin(add, { ...honours, attempt: 'lost' })
    expect(ask(add, honours)).toBe('running')
    settle(lost, 'released')
    expect(ask(add, honours)).toBe('claimed')
  })

  it('decision 26: a request that waits, is replayed or is stopped writes nothing', () => {
    const customer = createDocument()
    const held = customer.begin(add)
    const repeats = Array.from({ length: 19 }, () => customer.ask(add))
    expect([new Set(repeats), customer.seen.writes]).toEqual([new Set(['running']), 1])
    customer.settle(held, 'succeeded')
    customer.ask(add)
    customer.settle(customer.begin(undo), 'unknown')
    const { writes } = customer.seen
    expect([customer.ask(add), customer.ask(undo), customer.seen.writes]).toEqual([
      'store_unavailable 3600',
      'store_unavailable 3600',
      writes,
    ])
  })

  it('decision 27: a document that is full of clicks in use is an error', () => {
    for (const end of ['running', 'unknown', 'succeeded'] as const) {
      const { begin, settle, ask, wait } = createDocument()
      const held = Array.from({ length: 3 }, (_, index) => begin(click(`${index}`), { maxClicks: 3 }))
      if (end !== 'running') for (const each of held) settle(each, end)
      expect(ask(click('new'), { maxClicks: 3 })).toBe('store_unavailable 30')
      wait(dayMs + retainMs)
      expect(ask(click('new'), { maxClicks: 3 })).toBe('claimed')
    }
  })

  it('decision 27: the 101st click of a customer stops, and so does a named one', () => {
    const { begin, ask, enter } = createDocument()
    for (let count = 0; count < 100; count++) begin(click(`${count}`))
    expect(ask(click('new'))).toBe('store_unavailable 30')
    expect(() => enter({ ...askedOf('a', named), key: 'k', began: 1 })).toThrow(
      expect.objectContaining({ code: 'store_unavailable' }),
    )
  })

  it('decision 27: a success with a later change between is dropped, and any other stays for requests that wait', () => {
    const { run, ask } = createDocument()
    for (const one of ['1', '2', '3', '4']) run(click(one, { windowMs: dayMs }), 'succeeded', { maxClicks: 3 })
    expect(ask(click('4'))).toBe('replayed')
    const other = createDocument()
    const held = ['1', '2', '3'].map((one) => other.begin(click(one, { windowMs: 0 })))
    for (const each of held) other.settle(each, 'succeeded')
    other.wait(retainMs - 1)
    expect(other.ask(click('4'), { maxClicks: 3 })).toBe('store_unavailable 30')
    other.wait(1)
    expect(other.ask(click('4'), { maxClicks: 3 })).toBe('claimed')
  })

  it('decision 27: a success in its window is never dropped', () => {
    const { run, wait, ask } = createDocument()
    run(click('add', { windowMs: dayMs }))
    wait(dayMs - 1)
    run(undo, 'rejected')
    expect(ask(add)).toBe('replayed')
  })

  it('decision 27: adding and undoing in turn never fills a document', () => {
    const { run, ask } = createDocument()
    for (let count = 0; count < 500; count++) run(count % 2 === 0 ? add : undo)
    expect([ask(undo), ask(add)]).toEqual(['replayed', 'claimed'])
  })

  it.each([
    ['succeeded', 'replayed'],
    ['unknown', 'store_unavailable 3600'],
    ['rejected', 'claimed'],
  ] as const)('decision 28: %s in a document that is missing recreates it and reports the loss', (outcome, word) => {
    const { begin, forget, settle, seen, ask } = createDocument()
    const held = begin(add)
    forget()
    settle(held, outcome)
    expect([seen.losses, ask(add)]).toEqual([1, word])
  })

  it('decision 28: an attempt from before the loss is not between two later changes', () => {
    for (const outcome of ['succeeded', 'unknown'] as const) {
      const { run, begin, forget, settle, ask } = createDocument()
      for (let count = 0; count < 5; count++) run(click(`${count}`))
      const held = begin(undo)
      forget()
      run(add)
      settle(held, outcome)
      expect(ask(add)).toBe('replayed')
      expect(ask(undo)).toBe(outcome === 'succeeded' ? 'replayed' : 'store_unavailable 3600')
      run(click('swap'))
      expect(ask(click('swap'))).toBe('replayed')
    }
  })
})

it('decision 27: a document is open while a click of it runs or is unknown', () => {
  const { begin, settle, read, clock } = createDocument()
  const held = begin(add)
  const isOpenNow = () => isOpen(read() ?? { v: 0 }, clock.now)
  expect(isOpenNow()).toBe(true)
  settle(held, 'unknown')
  expect(isOpenNow()).toBe(true)
  settle(held, 'succeeded')
  expect(isOpenNow()).toBe(false)
})
