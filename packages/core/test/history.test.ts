import { describe, expect, it, vi } from 'vitest'
import {
  createHistory,
  endpointNames,
  endpointRow,
  type HistoryOptions,
  type HistoryRow,
  type HistoryStorage,
  memoryHistory,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { inputs, queryOf } from '@storeport/testing/samples'
import { systemRuntime } from '../src/retries/runtime.ts'
import { beans, customer, integrate, named, paths } from './retries/shop.ts'
import { deferred, send } from './support.ts'

const keys = ['k'.repeat(32)]
const oldKeys = ['o'.repeat(32)]
const day = 86_400_000

/** Creates an integration with a history in memory, and collects the stored rows. */
function recorded(store: StorePort, options: HistoryOptions & { readonly timeoutMs?: number } = {}) {
  const { timeoutMs = 10_000, ...historyOptions } = options
  const rows: HistoryRow[] = []
  const memory = memoryHistory()
  const append: HistoryStorage['append'] = async (added) => {
    rows.push(...added)
    await memory.append(added)
  }
  const history = createHistory({ ...memory, append }, { keys, ...historyOptions })
  const shop = integrate(store, { history, timeoutMs, testStore: store })
  return { ...shop, history, rows, records: async () => (await history.read()).records }
}

const unavailable = () => Promise.reject(new StoreError('store_unavailable'))

describe('the records of a history', () => {
  it('are changes and failures that name a customer', async () => {
    const rejecting = async ({ product_id }: { product_id: string }) => {
      if (product_id === 'none') throw new StoreError('product_not_found')
    }
    const { integration, post, records } = recorded({
      addProduct: rejecting,
      getSubscription: async ({ email }) => (email === customer.email ? unavailable() : null),
      getDiscount: unavailable,
    })
    await post(paths.add, beans, { 'x-request-id': 'first' })
    await post(paths.add, beans)
    await post(paths.add, { ...beans, product_id: 'none', secret: 'never stored' })
    await post(paths.add, { ...customer, quantity: -1 })
    await send(integration, `/integration/customer-portal/subscription?email=${customer.email}`)
    // No records: no customer, a wrong API key, test mode, and a read that does not fail.
    await post(paths.add, { product_id: 'beans' })
    await post(paths.add, beans, { 'x-integration-api-key': 'a-wrong-key-of-16' })
    await post(paths.add, beans, { 'x-integration-test-mode': 'true' })
    await send(integration, '/integration/discounts/get-discount?code=X')

    const found = await records()
    const input = { product_id: 'beans', quantity: 1, one_time: false }
    expect(
      found.map(({ at: _, ms: _ms, keyName: _name, clickKey: _click, requestId: _id, scope: _scope, ...rest }) => rest),
    ).toEqual([
      { operation: 'addProduct', ...customer, input, status: 200 },
      { operation: 'addProduct', ...customer, input, status: 200, replayed: true },
      {
        ...{ operation: 'addProduct', ...customer, input: { ...input, product_id: 'none' } },
        ...{ status: 404, code: 'product_not_found' },
      },
      { operation: 'addProduct', ...customer, input: {}, status: 400, code: 'invalid_request' },
      { operation: 'getSubscription', ...customer, input: {}, status: 503, code: 'store_unavailable' },
    ])
    expect(found[0]).toMatchObject({ requestId: 'first', keyName: found[1]?.keyName, clickKey: expect.any(String) })
    expect(found[1]?.clickKey).toBeUndefined()
  })

  it('contain every field of every endpoint', async () => {
    const store = Object.fromEntries(endpointNames.map((name) => [name, unavailable]))
    const { integration, records } = recorded(store)
    for (const name of endpointNames) {
      const { method, path } = endpointRow(name)
      const url = `/integration${path}`
      await (method === 'GET'
        ? send(integration, `${url}?${queryOf(name)}`)
        : send(integration, url, { body: inputs[name] }))
    }
    const found = new Map((await records()).map(({ operation, input, email }) => [operation, { email, ...input }]))
    for (const name of endpointNames) {
      if (name === 'getDiscount' || name === 'listProducts') continue
      expect([name, found.get(name)]).toEqual([name, expect.objectContaining(inputs[name])])
    }
  })

  it('contain the idempotency key, the attempts of a click and the result of reconcile', async () => {
    let fails = true
    const { post, records } = recorded({
      addProduct: async () => {
        if (fails) throw new Error('The connection was lost.')
      },
      reconcile: async () => 'not_applied',
    })
    await post(paths.add, beans, named)
    fails = false
    await post(paths.add, beans, named)
    const [first, second] = await records()
    expect(first).toMatchObject({ status: 500, code: 'internal_error', namedKey: 'click-1' })
    expect(second).toMatchObject({ status: 200, reconciled: 'not_applied', clickKey: first?.clickKey })
  })

  it.each([
    ['a success', undefined, { status: 200, late: true }],
    ['a failure', new StoreError('payment_failed'), { status: 400, code: 'payment_failed', late: true }],
  ])('contain %s after the time limit', async (_, error, expected) => {
    const end = deferred<void>()
    const { post, records } = recorded({ addProduct: () => end.promise }, { timeoutMs: 5 })
    expect((await post(paths.add, beans)).status).toBe(504)
    if (error === undefined) end.resolve()
    else end.reject(error)
    await end.promise.catch(() => {})
    expect(await records()).toMatchObject([{ status: 504, code: 'store_timeout' }, expected])
  })

  it('contain no email, field or API key in plain text', async () => {
    const { post, rows, history } = recorded({ addProduct: async () => {} })
    await post(paths.add, { ...beans, discount_code: 'SECRET5' }, { 'idempotency-key': customer.email })
    await history.flush()
    const text = JSON.stringify(rows)
    expect(rows).toHaveLength(1)
    for (const secret of [customer.email, 'beans', 'SECRET5', 'a-key-of-the-tests', ...keys])
      expect(text).not.toContain(secret)
  })
})

describe('a history whose storage fails', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('The disk is full.'))],
    ['never responds', () => new Promise<void>(() => {})],
    [
      'throws',
      () => {
        throw new Error('The storage is closed.')
      },
    ],
  ])('does not delay or fail a click if the storage %s', async (_, append) => {
    const history = createHistory({ ...memoryHistory(), append }, { maxWaiting: 300, onError: failing })
    const { post } = integrate({ addProduct: async () => {} }, { history })
    for (let at = 0; at < 310; at++)
      expect((await post(paths.add, { ...beans, product_id: `p${at}` })).status).toBe(200)
    expect(history.counts()).toEqual({ waiting: 300, dropped: 10 })
  })

  it('does not fail a click if record throws', async () => {
    const history = { record: failing }
    expect((await integrate({ addProduct: async () => {} }, { history }).post(paths.add, beans)).status).toBe(200)
  })

  it('stores each record once, after the storage works again', async () => {
    const memory = memoryHistory()
    const timers: { ms: number; run: () => void }[] = []
    let attempts = 0
    const history = createHistory(
      {
        ...memory,
        append: async (rows) => {
          // The first write is stored, but its response is lost.
          if (++attempts === 1) await memory.append(rows)
          if (attempts < 4) throw new Error('The connection was lost.')
          const known = new Set((await memory.select({ limit: 100 })).map(({ id }) => id))
          await memory.append(rows.filter(({ id }) => !known.has(id)))
        },
      },
      { onError: () => {}, runtime: { ...systemRuntime, after: (ms, run) => (timers.push({ ms, run }), () => {}) } },
    )
    const { post } = integrate({ addProduct: async () => {} }, { history })
    for (const product_id of ['beans', 'tea']) await post(paths.add, { ...customer, product_id })
    for (let at = 0; at < 4; at++) {
      timers.at(-1)?.run()
      await history.flush()
    }
    expect(timers[0]?.ms).toBeLessThanOrEqual(1000)
    expect((await history.read()).records).toHaveLength(2)
    expect(history.counts()).toEqual({ waiting: 0, dropped: 0 })
  })
})

it('stores new records after all waiting records were erased while the storage failed', async () => {
  const memory = memoryHistory()
  const timers: (() => void)[] = []
  let fails = true
  const append: HistoryStorage['append'] = (rows) =>
    fails ? Promise.reject(new Error('The disk is full.')) : memory.append(rows)
  const runtime = { ...systemRuntime, after: (_ms: number, run: () => void) => (timers.push(run), () => {}) }
  const history = createHistory({ ...memory, append }, { onError: () => {}, runtime })
  const { post } = integrate({ addProduct: async () => {} }, { history })
  await post(paths.add, beans)
  await history.flush()
  await history.erase(customer.email)
  fails = false
  // The retry finds no records.
  timers.at(-1)?.()
  await history.flush()
  const count = timers.length
  await post(paths.add, { ...beans, product_id: 'tea' })
  expect(timers).toHaveLength(count + 1)
  timers.at(-1)?.()
  await history.flush()
  expect(history.counts()).toEqual({ waiting: 0, dropped: 0 })
})

it('deletes old records after a write, but not after a read', async () => {
  let sweeps = 0
  const deleteBefore = async () => (sweeps++, 0)
  const history = createHistory({ ...memoryHistory(), deleteBefore })
  await history.read()
  await history.flush()
  expect(sweeps).toBe(0)
  await integrate({ addProduct: async () => {} }, { history }).post(paths.add, beans)
  await history.flush()
  expect(sweeps).toBe(1)
})

function failing(): never {
  throw new Error('This function fails.')
}

describe('the keys of a history', () => {
  async function store(storage: HistoryStorage, secrets: readonly string[]) {
    const history = createHistory(storage, { keys: secrets })
    const { post } = integrate({ addProduct: async () => {} }, { history })
    await post(paths.add, beans)
    await history.flush()
    return history
  }

  it('open records of earlier keys after a rotation', async () => {
    const storage = memoryHistory()
    await store(storage, oldKeys)
    const rotated = await store(storage, [...keys, ...oldKeys])
    expect((await rotated.read({ email: customer.email.toUpperCase() })).records).toHaveLength(2)
    expect(await rotated.countForeign()).toBe(0)
    expect(await rotated.erase(customer.email)).toBe(2)
    expect((await rotated.read()).records).toEqual([])
  })

  it('count records that they cannot open', async () => {
    const storage = memoryHistory()
    await store(storage, oldKeys)
    const [foreign] = await storage.select({ limit: 1 })
    const history = await store(storage, keys)
    const row = (await storage.select({ limit: 2 })).find(({ keyId }) => keyId !== foreign?.keyId)
    if (row === undefined) throw new Error('Expected a row.')
    await storage.append([{ ...row, id: nextId(row.id, 1), facts: row.facts.replace('"v":1', '"v":2') }])
    await storage.append([
      { ...row, id: nextId(row.id, 2), sealed: row.sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    ])
    const { records, unreadable } = await history.read()
    expect([records.length, unreadable, await history.countForeign()]).toEqual([1, 3, 1])
    expect((await history.read({ email: customer.email })).records).toHaveLength(1)
  })

  it.each([
    ['a short key', () => createHistory(memoryHistory(), { keys: ['short'] }), 'at least 32 characters'],
    ['no key', () => createHistory({ ...memoryHistory(), isLocal: false }), 'keys: required'],
    ['no retention', () => createHistory(memoryHistory(), { retentionDays: 0 }), 'retentionDays'],
  ])('reject %s', (_, create, message) => expect(create).toThrow(message))
})

/** Returns the id of another record of the same time. */
function nextId(id: string, distance: number): string {
  return String(BigInt(id) ^ BigInt(distance))
}

it('deletes old records in steps, also if two processes sweep and the clock was set back', async () => {
  const storage = memoryHistory()
  let date = Date.UTC(2026, 2, 10)
  const steps: number[] = []
  const deleteBefore: HistoryStorage['deleteBefore'] = async (id, limit) => {
    const deleted = await storage.deleteBefore(id, limit)
    steps.push(deleted)
    return deleted
  }
  const runtime = { ...systemRuntime, date: () => date, after: (_ms: number, run: () => void) => (run(), () => {}) }
  const [one, other] = [0, 1].map(() => createHistory({ ...storage, deleteBefore }, { keys, runtime }))
  if (one === undefined || other === undefined) throw new Error('Expected two histories.')
  const entry = {
    ...customer,
    operation: 'sendNow',
    input: {},
    scope: 's',
    status: 200,
    ms: 1,
    apiKey: 'x',
    requestId: 'r',
  } as const
  for (let at = 0; at < 1200; at++) one.record({ ...entry, at: date + at })
  one.record({ ...entry, at: date + 100 * day })
  await one.flush()
  date += 91 * day
  await Promise.all([one.sweep(), other.sweep()])
  expect(Math.max(...steps)).toBe(500)
  expect((await other.read({ email: customer.email })).records).toHaveLength(1)
  date -= 200 * day
  await one.sweep()
  expect((await other.read()).records).toHaveLength(1)
})

it.each([
  ['paused', 503, 'store_unavailable', '60'],
  ['hidden', 404, 'endpoint_not_available', null],
] as const)(
  'an operation that is %s returns %s, and its store is not called',
  async (mode, status, code, retryAfter) => {
    const history = createHistory(memoryHistory())
    const onError = vi.fn<() => void>()
    let isPaused = true
    const shop = integrate(
      { addProduct: async () => expect(isPaused).toBe(false), sendNow: async () => {} },
      { history, onError, isPaused: (operation) => (isPaused && operation === 'addProduct' ? mode : undefined) },
    )
    const answer = await shop.post(paths.add, beans)
    expect([answer.status, answer.json.error?.code, answer.headers.get('retry-after')]).toEqual([
      status,
      code,
      retryAfter,
    ])
    expect((await shop.post(paths.sendNow, customer)).status).toBe(200)
    isPaused = false
    expect((await shop.post(paths.add, beans)).status).toBe(200)
    const { records } = await history.read({ failed: true })
    expect(records.map(({ paused }) => paused)).toEqual(mode === 'paused' ? [true] : [])
    expect(onError).not.toHaveBeenCalled()
  },
)
