import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Ledger, memoryLedger, StoreError, type StorePort } from '@storeport/core'
import { deferred } from '../support.ts'
import { beans, customer, integrate, named, paths, watchLedger } from './shop.ts'

describe('ledger faults', () => {
  /** Creates a store with a memory ledger that runs `fault` before each update. */
  function faulty(fault: (update: number) => undefined | Promise<void>) {
    const memory = memoryLedger()
    let updates = 0
    const ledger: Ledger = {
      update: (name, change) => {
        updates += 1
        const waiting = fault(updates)
        return waiting === undefined ? memory.update(name, change) : waiting.then(() => memory.update(name, change))
      },
    }
    const runs: string[] = []
    const store: StorePort = { ledger, sendNow: async () => void runs.push('send') }
    return { runs, store }
  }

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('lost'))],
    ['rejects with undefined', () => Promise.reject()],
    ['rejects with an unrelated StoreError', () => Promise.reject(new StoreError('payment_failed'))],
    [
      'throws',
      () => {
        throw new Error('lost')
      },
    ],
    ['never responds', () => new Promise(() => {})],
  ])('returns 503 before the method runs, and 200 after a success, if the ledger %s', async (_what, fault) => {
    const unclaimed = faulty(fault)
    const { status, json, headers } = await integrate(unclaimed.store, { timeoutMs: 300 }).post(paths.sendNow, customer)
    expect([status, json.error?.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5'])
    expect(unclaimed.runs).toEqual([])
    const unsettled = faulty((update) => (update === 1 ? undefined : fault()))
    const { post, errors } = integrate(unsettled.store, { timeoutMs: 300 })
    expect([(await post(paths.sendNow, customer)).status, unsettled.runs.length, errors.length]).toEqual([200, 1, 1])
  })

  it('releases the click if the ledger responds late to a claim (decision 25)', async () => {
    const response = deferred<void>()
    const { store, runs } = faulty((update) => (update === 1 ? response.promise : undefined))
    const { post } = integrate(store, { timeoutMs: 300 })
    expect((await post(paths.sendNow, customer)).status).toBe(503)
    response.resolve()
    await expect.poll(async () => (await post(paths.sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('writes no claim that a stalled ledger decides after the release has ended (decision 25)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let stalls = true
    const response = deferred<void>()
    // The claim and the updates of its release read the ledger only after the stall.
    const { store, runs } = faulty(() => (stalls ? response.promise : undefined))
    const { post } = integrate(store, { timeoutMs: 300 })
    const first = post(paths.sendNow, customer)
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await first).status).toBe(503)
    stalls = false
    response.resolve()
    await vi.advanceTimersByTimeAsync(0)
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it("releases the claim in the named document if the update of the customer's document fails (decision 24)", async () => {
    const { store, runs } = faulty((update) => (update === 2 ? Promise.reject(new Error('lost')) : undefined))
    const { post } = integrate(store)
    expect((await post(paths.sendNow, customer, named)).status).toBe(503)
    await expect.poll(async () => (await post(paths.sendNow, customer, named)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it("releases a named click's entry in the customer's document if the ledger responds late (decision 24)", async () => {
    const response = deferred<void>()
    // Updates 1 and 2 claim and settle sendNow. Update 3 claims the named document.
    // Update 4 adds the click to the customer's document.
    const { store, runs } = faulty((update) => (update === 4 ? response.promise : undefined))
    const { post } = integrate({ ...store, addProduct: async () => {} }, { timeoutMs: 300 })
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    expect((await post(paths.add, beans, named)).status).toBe(503)
    response.resolve()
    await expect.poll(async () => (await post(paths.sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('claims the named document first, settles it last, and checks only this document for reused keys (decision 24)', async () => {
    const names: string[] = []
    const memory = memoryLedger()
    const ledger: Ledger = {
      update: (name, change) => (names.push(name.split(':')[2] ?? ''), memory.update(name, change)),
    }
    const { post } = integrate({ ledger, addProduct: async () => {} })
    await post(paths.add, beans, named)
    expect(names.splice(0)).toEqual(['name', 'customer', 'customer', 'name'])
    // With another body, the customer's document is not read.
    expect((await post(paths.add, { ...beans, email: 'c@d.example' }, named)).status).toBe(422)
    expect(names).toEqual(['name'])
  })

  it('stores an outcome in the background if the first attempt to store it fails', async () => {
    const { store, runs } = faulty((update) => (update === 2 ? Promise.reject(new Error('disk full')) : undefined))
    const { post, errors } = integrate(store)
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    expect(errors).toEqual([expect.objectContaining({ cause: new Error('disk full') })])
    // The repeat waits while the click is considered to be running, and then receives the success.
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it("stores an attempt's outcome even if the ledger has lost its data (decision 28)", async () => {
    const { seen, ledger } = watchLedger()
    const lost = { now: ledger }
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({
      ledger: { update: (name, change) => lost.now.update(name, change) },
      sendNow: () => ((runs += 1), ending.promise),
    })
    const first = post(paths.sendNow, customer)
    await expect.poll(() => runs).toBe(1)
    const empty = watchLedger()
    lost.now = empty.ledger
    ending.resolve()
    expect((await first).status).toBe(200)
    expect([(await post(paths.sendNow, customer)).status, runs]).toEqual([200, 1])
    expect([seen.losses, empty.seen.losses]).toEqual([0, 1])
  })
})
