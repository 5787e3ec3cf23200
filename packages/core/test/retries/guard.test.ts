import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Context, type Ledger, memoryLedger, StoreError, type StorePort } from '@storeport/core'
import { deferred } from '../support.ts'
import { createTables, hour, lost, minute, never, openShop, second, type Sent } from './shop.ts'

// A request that waits for the fake clock forever fails its test.
vi.setConfig({ testTimeout: 5000 })

const named: Sent = { key: 'click-1' }

describe('changes of one customer', () => {
  it('run one at a time in a process, in the order of their arrival, with and without storesClicks', async () => {
    const [add, send, undo] = [deferred<void>(), deferred<void>(), deferred<void>()]
    const shop = openShop([() => add.promise, () => {}, () => send.promise, () => undo.promise])
    const { post } = shop.startStoring()
    const responses = [post('add'), post('send'), post('undo', named), post('add', { email: 'c@d.example' })]
    const seen: string[][] = []
    for (const { resolve } of [add, send, undo]) {
      await shop.wait(0)
      seen.push([...shop.calls])
      resolve()
    }
    // Another customer does not wait.
    expect(seen).toEqual([
      ['add', 'add'],
      ['add', 'add', 'send'],
      ['add', 'add', 'send', 'undo'],
    ])
    expect(await Promise.all(responses)).toEqual(['200', '200', '200', '200'])
  })

  it('continue immediately after a reconcile, in the order of their arrival', async () => {
    const reconciled = deferred<'unknown'>()
    const { post, wait, calls } = openShop([lost], { reconcile: () => reconciled.promise })
    await post('add')
    const responses = [post('add')]
    for (const name of ['send', 'undo'] as const) {
      await wait(second)
      responses.push(post(name))
    }
    await wait(second)
    reconciled.resolve('unknown')
    expect(await Promise.all(responses)).toEqual(['503 store_unavailable 30', '200', '200'])
    expect(calls).toEqual(['add', 'send', 'undo'])
  })

  it('log only the first click that a full document forgets', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { post } = openShop([])
    for (let count = 0; count < 103; count++) await post('add', { key: `click-${count}` })
    expect(warn.mock.calls).toEqual([[expect.stringContaining('The oldest click was forgotten')]])
  })

  it.each<[string, 'add' | 'send', Sent, Sent, string]>([
    ['an equal unnamed request', 'add', {}, {}, '503 store_unavailable 5'],
    ['an equal named request', 'add', named, named, '409 request_in_progress 5'],
    ['another change', 'send', named, named, '503 store_unavailable 5'],
    ['the same change with another key', 'add', named, { key: 'click-2' }, '503 store_unavailable 5'],
  ])('stop the wait of %s at half of timeoutMs', async (_what, name, first, other, expected) => {
    for (const isOtherProcess of [false, true]) {
      const { post, startProcess, wait, calls } = openShop([never])
      void post('add', first)
      await wait(0)
      const ended = vi.fn<(response: string) => void>()
      void (isOtherProcess ? startProcess() : post)(name, other).then(ended)
      await wait(4990)
      expect(ended).not.toHaveBeenCalled()
      await wait(20)
      expect([ended.mock.lastCall, calls]).toEqual([[expected], ['add']])
    }
  })

  it('reject another body with the same key immediately, in each process', async () => {
    const { post, startProcess, startStoring, wait } = openShop([never, never])
    const storing = startStoring().post
    for (const [first, other] of [
      [post, post],
      [post, startProcess()],
      [storing, storing],
    ] as const) {
      void first('add', named)
      await wait(0)
      const ended = vi.fn<(response: string) => void>()
      void other('add', { ...named, quantity: 3 }).then(ended)
      await wait(0)
      expect(ended).toHaveBeenCalledWith('422 idempotency_key_reused')
    }
  })
})

describe('repeat of a click', () => {
  it.each<[string, 'add' | 'send', Sent, number]>([
    ['10 s for addProduct', 'add', {}, 10 * second],
    ['10 minutes for sendNow', 'send', {}, 10 * minute],
    ['24 hours with a key', 'add', named, 24 * hour],
  ])('is replayed within %s after the success', async (_what, name, sent, windowMs) => {
    const { post, wait, keys } = openShop()
    expect(await post(name, sent)).toBe('200')
    await wait(windowMs - 1)
    expect(await post(name, sent)).toBe('200 replayed')
    await wait(1)
    expect([await post(name, sent), keys.length]).toEqual(['200', 2])
  })

  it('runs after another change, and if the window of its endpoint is 0', async () => {
    const { startProcess, wait, calls } = openShop()
    const post = startProcess({}, { retries: { windows: { undoAddProduct: 0 } } })
    for (const name of ['add', 'undo', 'undo', 'add', 'add'] as const) {
      await post(name)
      await wait(1)
    }
    expect(calls).toEqual(['add', 'undo', 'undo', 'add'])
  })

  it('has a context.idempotencyKey that differs by click, and that survives a lost ledger if the click is named', async () => {
    const { startProcess, keys, store } = openShop()
    const processes = [
      startProcess({ ledger: memoryLedger() }),
      startProcess({ ledger: memoryLedger() }, { scope: 'other' }),
      startProcess({ ledger: memoryLedger() }, { testStore: { ...store, ledger: memoryLedger() } }),
    ]
    const test: Sent = { ...named, headers: { 'x-integration-test-mode': 'true' } }
    for (const [index, post] of processes.entries())
      for (const sent of [{}, index < 2 ? named : test]) await post('add', sent)
    // The API key was rotated, and the key is quoted.
    const apiKey = 'another-key-of-the-tests-0002'
    const other: Sent = { key: '"click-1"', email: 'A@B.example', headers: { 'x-integration-api-key': apiKey } }
    await startProcess({ ledger: memoryLedger() }, { apiKeys: [apiKey] })('add', other)
    expect([keys.length, new Set(keys).size, keys[1] === keys.at(-1)]).toEqual([7, 6, true])
  })

  it('runs if retries is false, with an equal context.idempotencyKey for an equal key', async () => {
    const { startProcess, keys } = openShop()
    const post = startProcess({}, { retries: false })
    for (const sent of [{}, {}, named, named]) expect(await post('send', sent)).toBe('200')
    expect([new Set(keys).size, keys[2] === keys[3]]).toEqual([3, true])
  })
})

it.each([true, false])('stores no personal data in a shared ledger, or for reconcile: %s', async (isShared) => {
  const { startProcess, ledger } = openShop()
  const stored: string[] = []
  const watched: Ledger = {
    isLocal: !isShared,
    update: (key, decide) =>
      ledger.update(key, (...read) => {
        const decision = decide(...read)
        stored.push(key, JSON.stringify(decision))
        return decision
      }),
  }
  const post = startProcess({ ledger: watched, ...(!isShared && { reconcile: async () => 'unknown' as const }) })
  await post('add', { email: 'Some.Body@shop.example' })
  await post('add', { email: 'Some.Body@shop.example', key: 'click-of-a-customer' })
  expect(stored).toHaveLength(8)
  expect(stored.join()).not.toMatch(/some.body|shop\.example|beans|click-of-a-customer/i)
})

describe('method with storesClicks', () => {
  it('makes an unmarked method of the customer wait if the store has no ledger', async () => {
    const first = deferred<void>()
    const { startProcess, startStoring, wait, calls } = openShop([() => first.promise])
    const post = startProcess({ ...startStoring().storing, ledger: undefined })
    const responses = [post('add'), post('send'), post('send', { email: 'c@d.example' })]
    await wait(0)
    expect(calls).toEqual(['add', 'send'])
    first.resolve()
    expect([await Promise.all(responses), calls.length]).toEqual([['200', '200', '200'], 3])
  })

  it('stores the click with its change and replays it, without a claim of the guard', async () => {
    const { marked, ledger: table } = createTables()
    const { startProcess, run, ledger, calls, wait } = openShop()
    const commits: number[] = []
    const method = marked(async (input, context: Context) => {
      commits.push((context.click?.commitBy ?? 0) - performance.now())
      expect({ ...context }.idempotencyKey).toBe(context.click?.idempotencyKey)
      await run('send')(input, context)
    })
    const post = startProcess({ sendNow: method })
    for (const sent of [{}, named]) {
      expect([await post('send', sent), await post('send', sent)]).toEqual(['200', '200 replayed'])
      await wait(1)
    }
    expect([calls, ledger.updates]).toEqual([['send', 'send'], 0])
    // A commit must begin 2 s before the time limit.
    expect(commits.map(Math.round)).toEqual([8000, 8000])
    expect(table.isLocal).toBeUndefined()
  })

  it('waits for a change of another process in front of the transaction', async () => {
    const first = deferred<void>()
    const { startProcess, startStoring, wait, calls } = openShop([() => first.promise])
    const { storing, post } = startStoring({}, 'send')
    const running = post('add')
    await wait(0)
    const other = startProcess(storing)('send')
    const late = startProcess(storing)('undo', { key: 'other' })
    await wait(3 * second)
    expect(calls).toEqual(['add'])
    first.resolve()
    await wait(500)
    expect([await running, await other, await late, calls.length]).toEqual(['200', '200', '200', 3])
  })

  it('fails with its own error if it fails after it has waited', async () => {
    const { marked, ledger } = createTables()
    const first = deferred<void>()
    const { startProcess, wait, run } = openShop([() => first.promise])
    let runs = 0
    const method = marked(run('send'))
    const sendNow: StorePort['sendNow'] = Object.assign(
      async (...call: Parameters<typeof method>) => (runs++ === 0 ? method(...call) : lost()),
      method,
    )
    const post = startProcess({ ledger, sendNow })
    const responses = [post('add'), post('send')]
    await wait(0)
    first.resolve()
    expect(await Promise.all(responses)).toEqual(['200', '500 internal_error'])
  })

  it.each([
    ['after 504', () => false, '504 store_timeout'],
    ['if the caller has left', () => true, '200'],
  ])('stores a success for 10 minutes %s', async (_what, hasLeft, expected) => {
    const { startStoring, wait, calls } = openShop([() => new Promise((end) => setTimeout(end, 11 * second))])
    const { post } = startStoring(expected === '200' ? { timeoutMs: minute } : {})
    const first = post('add', { hasLeft })
    await wait(12 * second)
    expect(await first).toBe(expected)
    await wait(9 * minute)
    expect([await post('add'), calls.length]).toEqual(['200 replayed', 1])
  })

  it('has no unknown outcome after a rejection that follows 504', async () => {
    const end = deferred<void>()
    const { startStoring, wait } = openShop([() => end.promise])
    const { post, documents } = startStoring()
    const late = post('add')
    await wait(10 * second)
    const stored = () => JSON.stringify([...documents.values()])
    expect([await late, stored()]).toEqual(['504 store_timeout', expect.stringContaining('"unknown"')])
    end.reject(new StoreError('payment_failed'))
    await wait(0)
    expect(stored()).not.toContain('"unknown"')
  })
})
