import { describe, expect, it } from 'vitest'
import { add, askedOf, createDocument, heldBy, honours, leaseMs, minute, reconciles, undo, young } from './document.ts'

describe('reconcile', () => {
  it('decision 16: without fencing, an attempt that applies after not_applied is merged, and its effect is doubled', () => {
    const { begin, settle, startAgain, wait, ask } = createDocument()
    const paused = begin(add)
    wait(leaseMs)
    const second = startAgain(begin(add, reconciles))
    settle(paused, 'succeeded')
    settle(second, 'succeeded')
    expect([second.key, ask(add)]).toEqual([paused.key, 'replayed'])
  })

  it('decision 17: it is given the ages of the first and the last attempt', () => {
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

  it('decision 18: one retry asks, and the others wait as for an attempt that runs', () => {
    const { run, begin, ask, start, settle, wait } = createDocument()
    run(add, 'unknown')
    const asking = begin(add, reconciles)
    expect(ask(add, reconciles)).toBe('running')
    wait(leaseMs - 1)
    const started = start(asking)
    expect(started).toMatchObject({ key: asking.key, attempt: asking.attempt })
    wait(leaseMs - 1)
    expect(ask(add, reconciles)).toBe('running')
    if (started !== 'lost') settle(started, 'succeeded')
    expect(ask(add, reconciles)).toBe('replayed')
  })

  it('decision 18: the attempt starts only if its lease has not lapsed and no other has taken over', () => {
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

  it('decision 18: a late success comes before the answer, so the attempt does not start', () => {
    const { begin, settle, start, wait, ask } = createDocument()
    const paused = begin(add)
    wait(leaseMs)
    const asking = begin(add, reconciles)
    settle(paused, 'succeeded')
    expect([start(asking), ask(add, reconciles)]).toEqual(['lost', 'replayed'])
  })

  it.each(['rejected', 'unknown'] as const)('decision 18: late %s does not end the question', (outcome) => {
    const { begin, settle, start, wait, ask } = createDocument()
    const paused = begin(add)
    wait(leaseMs)
    const asking = begin(add, reconciles)
    settle(paused, outcome)
    expect(ask(add, reconciles)).toBe('running')
    expect(start(asking)).toMatchObject({ attempt: asking.attempt })
  })

  it('decision 18: an attempt whose lease has lapsed asks again under a new one', () => {
    const customer = createDocument()
    customer.run(add, 'unknown')
    const asked = askedOf('slow', add, reconciles)
    customer.begin(add, asked)
    customer.wait(leaseMs)
    const again = customer.begin(add, asked)
    expect(customer.start(again)).toMatchObject({ attempt: 'slow' })
  })

  it('decision 18: unknown, and a lapsed lease, are unknown again', () => {
    const { run, begin, settle, ask, wait } = createDocument()
    run(add, 'unknown')
    settle(begin(add, reconciles), 'unknown')
    expect(ask(add)).toBe('store_unavailable 3600')
    begin(add, reconciles)
    wait(leaseMs)
    expect(ask(add, reconciles)).toBe('reconcile')
  })

  it('decision 29: on a young ledger a first attempt asks the store, which has no ages', () => {
    const { claim, startAgain, settle, ask } = createDocument()
    const claimed = claim(add, young)
    expect(claimed).toEqual({ state: 'reconcile', held: expect.objectContaining({ began: 0 }) })
    expect(ask(add, young)).toBe('running')
    const started = startAgain(heldBy(claimed))
    settle(started, 'rejected')
    expect(ask(add, { isYoung: true })).toBe('claimed')
  })

  it('decision 29: a click whose success the young ledger has is not asked about', () => {
    const { run, ask, begin, settle } = createDocument()
    settle(begin(add, young), 'succeeded')
    expect(ask(add, young)).toBe('replayed')
    run(undo)
    expect(ask(add, young)).toBe('claimed')
  })

  it('decision 29: a first attempt that is lost while it asks leaves nothing behind', () => {
    const { begin, settle, ask, wait } = createDocument()
    settle(begin(add, young), 'unknown')
    begin(add, young)
    wait(leaseMs)
    expect(ask(add, young)).toBe('reconcile')
    wait(leaseMs)
    expect(ask(add)).toBe('claimed')
  })
})
