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
