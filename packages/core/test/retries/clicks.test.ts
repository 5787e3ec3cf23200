import { describe, expect, it, vi } from 'vitest'
import { type Context, type Ledger, memoryLedger, StoreError, type StorePort } from '@storeport/core'
import { deferred, key } from '../support.ts'
import { beans, customer, hour, integrate, minute, named, paths, watchLedger } from './shop.ts'

/** Creates a shop that records its changes, with a clock that the test sets. */
function shop(changes: StorePort = {}, windows: Partial<Record<'addProduct' | 'undoAddProduct', number>> = {}) {
  const { clock, ledger } = watchLedger()
  const effects: string[] = []
  const record = (effect: string) => async () => void effects.push(effect)
  const store = { addProduct: record('add'), undoAddProduct: record('undo'), sendNow: record('send'), ...changes }
  return { clock, effects, ...integrate(store, { retries: { ledger, windows } }) }
}

it('responds to a repeat when the first attempt ends, and does not poll the ledger', async () => {
  const mayEnd = deferred<void>()
  const { ledger, reach, seen } = watchLedger()
  const { post } = integrate({ ledger, addProduct: () => mayEnd.promise })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const first = post(paths.add, beans)
    await reach(1)
    const repeat = post(paths.add, beans)
    await reach(2)
    mayEnd.resolve()
    // The four updates are two claims, one settle, and the repeat's second claim, which finds the success.
    expect([(await first).status, (await repeat).status, seen.updates]).toEqual([200, 200, 4])
  } finally {
    vi.useRealTimers()
  }
})

it('passes no request data to the ledger', async () => {
  const received: string[] = []
  const memory = memoryLedger()
  const ledger: Ledger = {
    update: (name, change) =>
      memory.update(name, (...stored) => {
        const changed = change(...stored)
        received.push(name, JSON.stringify(changed.document ?? {}))
        return changed
      }),
  }
  const { post } = integrate({ ledger, addProduct: async () => {}, sendNow: async () => {} })
  const email = 'Some.Body@shop.example'
  await post(paths.add, { email, product_id: 'dark-beans' })
  await post(paths.sendNow, { email }, { 'idempotency-key': 'click-of-a-customer' })
  // Each document is claimed once and settled once. The unnamed click has one document, and the named click has two.
  expect(received).toHaveLength(2 * (2 + 4))
  expect(received.join()).not.toMatch(/some.body|shop\.example|dark-beans|click-of-a-customer/i)
})

describe('window of an unnamed click', () => {
  it.each([
    ['10 s for addProduct', paths.add, 10_000],
    ['10 min for sendNow', paths.sendNow, 10 * minute],
  ])('is %s', async (_, path, windowMs) => {
    const { effects, post, clock } = shop()
    await post(path, beans)
    clock.now += windowMs - 1
    await post(path, beans)
    expect(effects).toHaveLength(1)
    // Adds a margin, because StorePort compares the window with the arrival time of the request, which is slightly earlier.
    clock.now += 1000
    await post(path, beans)
    expect(effects).toHaveLength(2)
  })

  it('can be disabled for one endpoint, but the changes of this endpoint still end other windows', async () => {
    const { effects, post, clock } = shop({}, { undoAddProduct: 0 })
    for (const path of [paths.add, paths.undo, paths.undo, paths.add, paths.add]) {
      await post(path, beans)
      clock.now += 1000
    }
    expect(effects).toEqual(['add', 'undo', 'undo', 'add'])
  })

  it('does not apply if retries is false, but repeats of a named click have the same context.idempotencyKey', async () => {
    const keys: string[] = []
    const sendNow = async (_: object, { idempotencyKey }: Context) => void keys.push(idempotencyKey)
    const { post } = integrate({ sendNow }, { retries: false })
    for (const headers of [{}, {}, named, named]) await post(paths.sendNow, customer, headers)
    expect([keys.length, new Set(keys).size, keys[2] === keys[3]]).toEqual([4, 3, true])
  })

  it('ends for sendNow after another change, so that a repeat runs again (decision 8)', async () => {
    let sent = 0
    const { post, effects } = shop({
      sendNow: async () => {
        if (sent++ > 0) throw new StoreError('order_already_processing')
      },
    })
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    expect((await post(paths.sendNow, customer)).status).toBe(200)
    await post(paths.add, beans)
    expect((await post(paths.sendNow, customer)).json.error?.code).toBe('order_already_processing')
    expect([sent, effects]).toEqual([2, ['add']])
  })
})

describe('request with Idempotency-Key', () => {
  it('runs with a different context.idempotencyKey after an unnamed request with the same input (decision 3)', async () => {
    const keys: string[] = []
    const { post } = shop({ addProduct: async (_, { idempotencyKey }) => void keys.push(idempotencyKey) })
    await post(paths.add, beans)
    expect((await post(paths.add, beans, named)).headers.has('idempotency-replayed')).toBe(false)
    expect((await post(paths.add, beans, { 'idempotency-key': '"click-1"' })).headers.get('idempotency-replayed')).toBe(
      'true',
    )
    expect([keys.length, new Set(keys).size]).toEqual([2, 2])
  })

  it('fails with 409 while the first request with the same key is running', async () => {
    const [called, mayEnd] = [deferred<void>(), deferred<void>()]
    const { post } = shop({ sendNow: () => (called.resolve(), mayEnd.promise) })
    const first = post(paths.sendNow, customer, named)
    await called.promise
    const { status, json, headers } = await post(paths.sendNow, customer, named)
    expect([status, json.error?.code, headers.get('retry-after')]).toEqual([409, 'request_in_progress', '5'])
    mayEnd.resolve()
    expect((await first).status).toBe(200)
  })

  it.each([
    ...['', '""', 'two words', 'é', `"${'x'.repeat(256)}"`, 'a, b', '"say \\"hi\\""'].map((name) => [name, 400]),
    ...['x', 'x'.repeat(255), 'a=b;c'].map((name) => [name, 200]),
  ])('validates the key %j: status %i', async (name, status) => {
    expect((await shop().post(paths.add, beans, { 'idempotency-key': name })).status).toBe(status)
  })
})

describe('identity of a click (decision 1)', () => {
  it('is unchanged after an API key rotation', async () => {
    const rotated = 'another-key-of-the-tests-0002'
    for (const headers of [{}, named]) {
      const keys: string[] = []
      const { ledger } = watchLedger()
      const ofKey = (apiKey: string) =>
        integrate(
          {
            ledger,
            honoursIdempotencyKey: true,
            addProduct: async (_, { idempotencyKey }) => {
              keys.push(idempotencyKey)
              if (keys.length === 1) throw new Error('lost')
            },
          },
          { apiKeys: [apiKey] },
        ).post
      expect((await ofKey(key)(paths.add, beans, headers)).status).toBe(500)
      for (let retries = 0; retries < 2; retries++) {
        const retried = await ofKey(rotated)(paths.add, beans, { ...headers, 'x-integration-api-key': rotated })
        expect([retried.status, keys.length, new Set(keys).size]).toEqual([200, 2, 1])
      }
    }
  })

  it('differs between scopes, and between live mode and test mode', async () => {
    const keys: string[] = []
    const { ledger } = watchLedger()
    const store: StorePort = { ledger, addProduct: async (_, { idempotencyKey }) => void keys.push(idempotencyKey) }
    for (const scope of ['one', 'other']) {
      const { post } = integrate(store, { scope, testStore: store })
      await post(paths.add, beans, named)
      await post(paths.add, beans, { ...named, 'x-integration-test-mode': 'true' })
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 4])
  })

  it('is passed only to a store with a reconcile method', async () => {
    const seen: Context['clickIdentity'][] = []
    const sendNow: StorePort['sendNow'] = async (_, { clickIdentity }) => void seen.push(clickIdentity)
    const { clock, post } = shop({ reconcile: async () => 'unknown', sendNow })
    for (const headers of [named, {}, {}]) {
      clock.now += 25 * hour
      expect((await post(paths.sendNow, customer, headers)).status).toBe(200)
    }
    const [first, second, third] = seen
    expect(first).toEqual({ named: true, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), windowMs: 24 * hour })
    expect(second).toEqual({ named: false, fingerprint: first?.fingerprint, windowMs: 10 * minute })
    expect(third).toEqual(second)
    await shop({ sendNow }).post(paths.sendNow, customer)
    expect(seen[3]).toBeUndefined()
  })
})
