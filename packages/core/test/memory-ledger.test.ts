import { expect, it } from 'vitest'
import { memoryLedger, StoreError } from '@storeport/core'
import { behavesLikeLedger, click } from '@storeport/testing/behaves-like-ledger'

behavesLikeLedger('memory', async (clock) => memoryLedger({ now: () => clock.now }))

it('forgets the oldest when it is full, never one that runs, and refuses when all run', async () => {
  const ledger = memoryLedger({ maxClicks: 2, now: () => 0 })
  await ledger.claim(click({ id: 'runs' }), true)
  await ledger.claim(click({ id: 'done' }), true)
  await ledger.settle(click({ id: 'done' }), 'done')
  await ledger.claim(click({ id: 'third' }), true)
  expect(await ledger.claim(click({ id: 'runs', idempotencyKey: 'k2' }), true)).toMatchObject({ state: 'running' })
  expect(() => ledger.claim(click({ id: 'fourth' }), true)).toThrow(new StoreError('store_unavailable'))
})

it('holds no more than it may over many clicks', async () => {
  let now = 0
  const ledger = memoryLedger({ maxClicks: 100, now: () => now })
  for (let index = 0; index < 10_000; index++) {
    const one = click({ id: `click-${index}`, customer: `customer-${index}` })
    await ledger.claim(one, true)
    await ledger.settle(one, 'done')
    now += 1
  }
  expect(await ledger.claim(click({ id: 'click-9950', customer: 'customer-9950' }), true)).toMatchObject({
    state: 'done',
  })
  expect(await ledger.claim(click({ id: 'click-9000', customer: 'customer-9000' }), true)).toMatchObject({
    state: 'claimed',
  })
})

it.each(['done', 'refused', 'unknown'] as const)(
  'tells the repeats of a click when it has ended: %s',
  async (outcome) => {
    const ledger = memoryLedger({ now: () => 0 })
    ledger.claim(click({ id: 'one' }), true)
    const repeat = ledger.claim(click({ id: 'one', idempotencyKey: 'k2' }), true)
    if (repeat.state !== 'running' || repeat.ended === undefined) throw new Error(`unexpected: ${repeat.state}`)
    const told: string[] = []
    const waited = repeat.ended.then(() => told.push('ended'))
    await Promise.resolve()
    expect(told).toEqual([])
    ledger.settle(click({ id: 'one' }), outcome)
    await waited
    expect(told).toEqual(['ended'])
  },
)

it('knows a click among many of one customer whose end nobody knows', () => {
  const ledger = memoryLedger({ now: () => 0 })
  const clicks = Array.from({ length: 50 }, (_, index) => click({ id: `${index}`, fingerprint: `${index}` }))
  for (const each of clicks) {
    expect(ledger.claim(each, false)).toMatchObject({ state: 'claimed' })
    ledger.settle(each, 'unknown')
  }
  for (const each of clicks) expect(ledger.claim(each, false)).toMatchObject({ state: 'unknown' })
})
