import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Context, storesClicks, type Click, type StoredClicks, type StorePort } from '@storeport/core'
import { deferred } from '../support.ts'
import { beans, customer, integrate, leavingRequest, minute, named, paths, watchLedger } from './shop.ts'

describe('method with storesClicks', () => {
  /** Creates a store that stores documents in its own transactions. */
  function createStore(change: () => void = () => {}) {
    const { clock, ledger, seen } = watchLedger()
    const documents = new Map<string, StoredClicks>()
    const clicks: Click[] = []
    let changes = 0
    const method: NonNullable<StorePort['sendNow']> = storesClicks(async (_input, context) => {
      const { click } = context
      if (click === undefined) return
      clicks.push(click)
      const { customer: first, named: second = '' } = click
      const kept = click.plan({ customer: documents.get(first), named: documents.get(second) }, clock.now)
      for (const { key, document } of kept.writes) documents.set(key, document)
      expect({ ...context }.idempotencyKey).toBe(click.idempotencyKey)
      if (kept.state !== 'run') return
      change()
      changes += 1
    })
    const store: StorePort = {
      sendNow: method,
      addProduct: method,
      ledger: {
        update: (key, decide) => {
          const { result, document } = decide(documents.get(key), clock.now, false)
          if (document !== undefined) documents.set(key, document)
          return ledger.update(key, () => ({ result }))
        },
      },
    }
    return { clock, clicks, store, seen, changes: () => changes }
  }

  it('stores the click together with its change, without the ledger', async () => {
    const { store, clicks, seen, changes } = createStore()
    // The methods of the copied store are still marked with `storesClicks`.
    const { post } = integrate({ ...store })
    for (const replayed of [null, 'true']) {
      const { status, headers } = await post(paths.sendNow, customer, named)
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, replayed])
    }
    expect(clicks[0]?.named).toMatch(/^my-shop:live:name:[0-9a-f]{64}$/)
    expect([clicks[1]?.named, changes(), seen.updates]).toEqual([clicks[0]?.named, 1, 0])
  })

  it('replays a repeat that waited, even if another change has overtaken it (decision 21)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const documents = new Map<string, StoredClicks>()
    const changes: string[] = []
    const first = deferred<void>()
    const change = (name: string) =>
      storesClicks(async (_input: object, { click }: Context) => {
        if (click === undefined) return
        const { state, writes } = click.plan({ customer: documents.get(click.customer) }, performance.now())
        if (state === 'run' && changes.length === 0) await first.promise
        for (const { key, document } of writes) documents.set(key, document)
        if (state === 'run') changes.push(name)
      })
    const { post } = integrate({ addProduct: change('add'), undoAddProduct: change('undo') })
    const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
    const responses = [post(paths.add, beans)]
    await wait(100)
    responses.push(post(paths.add, beans))
    await wait(100)
    responses.push(post(paths.undo, beans))
    // The repeat has waited for its maximum pause, and begins to wait again after the undo.
    await wait(500)
    first.resolve()
    await wait(1000)
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(changes).toEqual(['add', 'undo'])
  })

  it('rejects a concurrent request with the same key and other fields', async () => {
    const documents = new Map<string, StoredClicks>()
    const first = deferred<void>()
    let changes = 0
    const method = storesClicks(async (_input: object, { click }: Context) => {
      if (click === undefined) return
      const { customer: one, named: other = '' } = click
      const found = { customer: documents.get(one), named: documents.get(other) }
      const { state, writes } = click.plan(found, 1_800_000_000_000)
      if (changes === 0) await first.promise
      for (const { key, document } of writes) documents.set(key, document)
      if (state === 'run') changes += 1
    })
    const { post } = integrate({ addProduct: method })
    const responses = [post(paths.add, beans, named), post(paths.add, { ...beans, quantity: 3 }, named)]
    // Both requests have arrived before the first request ends.
    await new Promise((resume) => setImmediate(resume))
    first.resolve()
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 422])
    expect(changes).toBe(1)
  })

  it('stores the success for 10 minutes if the caller has disconnected (decision 23)', async () => {
    const leaving = new AbortController()
    const { store, seen, clock, changes } = createStore(() => leaving.abort())
    const { integration, post } = integrate(store)
    await integration.fetch(leavingRequest(leaving.signal))
    await expect.poll(() => seen.updates).toBe(1)
    clock.now += 9 * minute
    await post(paths.add, beans)
    expect(changes()).toBe(1)
  })

  it('must start to commit at least 2 seconds before its time limit', async () => {
    const { store, clicks } = createStore()
    const before = performance.now()
    await integrate(store).post(paths.sendNow, customer)
    const [click] = clicks
    expect(click?.commitBy).toBeGreaterThan(before + 7999)
    expect(click?.commitBy).toBeLessThan(performance.now() + 8000)
  })

  it('can be called without an integration', async () => {
    const context = { requestId: 'r', idempotencyKey: 'k', testMode: false, signal: new AbortController().signal }
    expect(await createStore().store.sendNow?.(customer, context)).toBeUndefined()
  })
})
