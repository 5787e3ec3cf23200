import { describe, expect, it } from 'vitest'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, toClaim, click, createDocument, heldBy, honours, named, reconciles, retainMs, undo } from './document.ts'

describe('storage', () => {
  it('rejects an idempotency key reused with a different body, during and after the first click (decision 24)', () => {
    const other = click('another body', { name: named.name, derivedKey: 'another key', windowMs: dayMs })
    const { begin, settle, send, wait } = createDocument()
    const held = begin(named)
    expect(send(other)).toBe('idempotency_key_reused undefined')
    settle(held, 'unknown')
    expect(send(other)).toBe('idempotency_key_reused undefined')
    settle(begin(named, honours), 'succeeded')
    wait(dayMs - 1)
    expect(send(other)).toBe('idempotency_key_reused undefined')
    wait(1)
    expect(send(other)).toBe('claimed')
  })

  it("adds a named click to the sequence of the customer's changes (decision 24)", () => {
    const customer = createDocument()
    const gate = createDocument(customer.clock)
    customer.run(add)
    const held = gate.begin(named)
    const entry = customer.enter(held)
    expect(customer.send(add)).toBe('store_unavailable 5')
    customer.settle(entry, 'unknown', true)
    gate.settle(held, 'unknown')
    expect(customer.send(add)).toBe('store_unavailable 3600')
    // The outcome of the named click also settles its entry in the customer's document.
    const asking = gate.begin(named, reconciles)
    customer.settle(asking, 'succeeded', true)
    gate.settle(asking, 'succeeded')
    expect([customer.send(add), gate.send(named)]).toEqual(['claimed', 'replayed'])
  })

  it("gives a retry after not_applied a new position in the sequence of the customer's changes (decision 24)", () => {
    const customer = createDocument()
    const gate = createDocument(customer.clock)
    const first = gate.begin(named)
    customer.settle(customer.enter(first), 'unknown', true)
    gate.settle(first, 'unknown')
    customer.run(undo)
    const started = gate.startAgain(gate.begin(named, reconciles))
    customer.settle(customer.enter(started, true), 'succeeded', true)
    expect(customer.send(undo)).toBe('claimed')
  })

  it('returns the same result if a step is repeated after a lost response (decision 25)', () => {
    const { claim, send, enter, start, run } = createDocument()
    const request = { attempt: 'one' }
    const claimed = heldBy(claim(add, request))
    expect(claim(add, request)).toEqual({ state: 'claimed', held: claimed })
    const held = { ...toClaim('two', named), key: 'k', began: 1 }
    expect(enter(held)).toEqual(enter(held))
    const other = click('undo')
    run(other, 'unknown')
    const reconciling = { ...reconciles, attempt: 'three' }
    expect(claim(other, reconciling)).toEqual(claim(other, reconciling))
    const asking = heldBy(claim(other, reconciling))
    expect(start(asking)).toEqual(start(asking))
    expect(send(other)).toBe('running')
  })

  it('writes a release even without a stored claim, so that the compare-and-set of a late claim fails (decision 25)', () => {
    const { settle, begin, send, run } = createDocument()
    const lost = { ...toClaim('lost', add), key: 'lost', began: 0 }
    const customer = createDocument()
    customer.settle(lost, 'released')
    expect(customer.seen).toEqual({ writes: 1, losses: 0 })
    // The response to the claim was lost, so `lost` does not have the key of the instance.
    run(add, 'unknown')
    begin(add, { ...honours, attempt: 'lost' })
    expect(send(add, honours)).toBe('running')
    settle(lost, 'released')
    expect(send(add, honours)).toBe('claimed')
  })

  it('writes nothing for a request that waits, receives a replay or fails with 503 (decision 26)', () => {
    const customer = createDocument()
    const held = customer.begin(add)
    const repeats = Array.from({ length: 19 }, () => customer.send(add))
    expect([new Set(repeats), customer.seen.writes]).toEqual([new Set(['running']), 1])
    customer.settle(held, 'succeeded')
    customer.send(add)
    customer.settle(customer.begin(undo), 'unknown')
    const { writes } = customer.seen
    expect([customer.send(add), customer.send(undo), customer.seen.writes]).toEqual([
      'store_unavailable 3600',
      'store_unavailable 3600',
      writes,
    ])
  })

  it('rejects a new click if no click in a full document can be deleted (decision 27)', () => {
    for (const end of ['running', 'unknown', 'succeeded'] as const) {
      const { begin, settle, send, wait } = createDocument()
      const held = Array.from({ length: 3 }, (_, index) => begin(click(`${index}`), { maxClicks: 3 }))
      if (end !== 'running') for (const each of held) settle(each, end)
      expect(send(click('new'), { maxClicks: 3 })).toBe('store_unavailable 30')
      wait(dayMs + retainMs)
      expect(send(click('new'), { maxClicks: 3 })).toBe('claimed')
    }
  })

  it("rejects a customer's 101st click, named or unnamed (decision 27)", () => {
    const { begin, send, enter } = createDocument()
    for (let count = 0; count < 100; count++) begin(click(`${count}`))
    expect(send(click('new'))).toBe('store_unavailable 30')
    expect(() => enter({ ...toClaim('a', named), key: 'k', began: 1 })).toThrow(
      expect.objectContaining({ code: 'store_unavailable' }),
    )
  })

  it('deletes a success after a later change, but retains other successes for waiting requests (decision 27)', () => {
    const { run, send } = createDocument()
    for (const one of ['1', '2', '3', '4']) run(click(one, { windowMs: dayMs }), 'succeeded', { maxClicks: 3 })
    expect(send(click('4'))).toBe('replayed')
    const other = createDocument()
    const held = ['1', '2', '3'].map((one) => other.begin(click(one, { windowMs: 0 })))
    for (const each of held) other.settle(each, 'succeeded')
    other.wait(retainMs - 1)
    expect(other.send(click('4'), { maxClicks: 3 })).toBe('store_unavailable 30')
    other.wait(1)
    expect(other.send(click('4'), { maxClicks: 3 })).toBe('claimed')
  })

  it.each([
    ['succeeded', 'replayed'],
    ['unknown', 'store_unavailable 3600'],
    ['rejected', 'claimed'],
  ] as const)(
    'recreates a missing document for the outcome %s, and reports the loss (decision 28)',
    (outcome, word) => {
      const { begin, forget, settle, seen, send } = createDocument()
      const held = begin(add)
      forget()
      settle(held, outcome)
      expect([seen.losses, send(add)]).toEqual([1, word])
    },
  )

  it('does not end a window because of an attempt that began before a data loss (decision 28)', () => {
    for (const outcome of ['succeeded', 'unknown'] as const) {
      const { run, begin, forget, settle, send } = createDocument()
      for (let count = 0; count < 5; count++) run(click(`${count}`))
      const held = begin(undo)
      forget()
      run(add)
      settle(held, outcome)
      expect(send(add)).toBe('replayed')
      expect(send(undo)).toBe(outcome === 'succeeded' ? 'replayed' : 'store_unavailable 3600')
      run(click('swap'))
      expect(send(click('swap'))).toBe('replayed')
    }
  })
})
