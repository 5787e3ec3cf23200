import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Context,
  type IntegrationOptions,
  type Ledger,
  memoryLedger,
  type RetryOptions,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { deferred, integrationOf, key, send } from './support.ts'

const add = '/integration/upsells/add-product'
const undo = '/integration/upsells/undo-add-product'
const sendNow = '/integration/customer-portal/send-now'
const delay = '/integration/customer-portal/delay'
const beans = { email: 'a@b.example', product_id: 'beans' }

/** A shop that counts what really happened, in front of a clock that the test turns. */
function shop(changes: StorePort = {}, retries: RetryOptions | false = {}, options: Partial<IntegrationOptions> = {}) {
  const clock = { now: 0 }
  const effects: string[] = []
  const keys: string[] = []
  const record = (what: string) => async (input: { email: string }, context: Context) => {
    effects.push(`${what} ${input.email}`)
    keys.push(context.idempotencyKey)
  }
  const store: StorePort = {
    addProduct: record('add'),
    undoAddProduct: record('undo'),
    sendNow: record('send'),
    delaySubscription: record('delay'),
    ...changes,
  }
  const ledger = changes.ledger ?? memoryLedger({ now: () => clock.now })
  const integration = integrationOf(store, {
    retries: retries === false ? false : { ledger, ...retries },
    onError: () => {},
    ...options,
  })
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  return { clock, effects, keys, post }
}

/** A ledger in memory that counts its updates. */
function countedLedger(now?: () => number) {
  const memory = memoryLedger({ now })
  const waiting: { readonly from: number; resolve(): void }[] = []
  let updates = 0
  const ledger: Ledger = {
    isLocal: true,
    update: (name, change) => {
      updates += 1
      for (const { from, resolve } of waiting) if (updates >= from) resolve()
      return memory.update(name, change)
    },
  }
  /** Resolves when the ledger has had so many updates. */
  const reach = (from: number): Promise<void> => {
    const reached = deferred<void>()
    waiting.push({ from, resolve: () => reached.resolve() })
    return reached.promise
  }
  return { ledger, reach, updates: () => updates }
}

it('returns the response of a repeat when the first attempt ends, without reading the ledger again and again', async () => {
  const mayEnd = deferred<void>()
  const { ledger, reach, updates } = countedLedger()
  const { post } = shop({ addProduct: () => mayEnd.promise }, { ledger })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const first = post(add, beans)
    await reach(1)
    const repeat = post(add, beans)
    await reach(2)
    mayEnd.resolve()
    // Two claims, a settle, and the claim of the repeat that finds the success.
    expect([(await first).status, (await repeat).status, updates()]).toEqual([200, 200, 4])
  } finally {
    vi.useRealTimers()
  }
})

describe('time', () => {
  const timeoutMs = 1000
  const leaseMs = timeoutMs + 5000
  const hour = 60 * 60_000

  /** A shop whose attempts the test ends, on a clock that the test turns. */
  function timedShop(changes: StorePort = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const ends: ReturnType<typeof deferred<void>>[] = []
    const addProduct = () => {
      const end = deferred<void>()
      ends.push(end)
      return end.promise
    }
    const { ledger, reach, updates } = countedLedger()
    const { post } = shop({ addProduct, ...changes }, { ledger }, { timeoutMs })
    /** Sends a request; it has read the ledger when this returns. */
    const begin = async (headers = {}) => {
      const reached = reach(updates() + 1)
      const response = post(add, beans, headers)
      await reached
      await vi.advanceTimersByTimeAsync(0)
      return { response }
    }
    const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
    return { ends, begin, wait, post }
  }

  const resultOf = async ({ response }: { response: ReturnType<typeof send> }) => {
    const { status, json, headers } = await response
    return [status, json.error?.code, headers.get('retry-after')]
  }
  const late = [503, 'store_unavailable', '5']

  it('decision 19: a request that has waited runs itself while half of its time is left', async () => {
    const { begin, ends, wait } = timedShop()
    const [first, repeat] = [await begin(), await begin()]
    await wait(timeoutMs / 2 - 10)
    ends[0]?.reject(new StoreError('payment_failed'))
    expect(await resultOf(first)).toEqual([400, 'payment_failed', null])
    await wait(0)
    ends[1]?.resolve()
    expect([await resultOf(repeat), ends.length]).toEqual([[200, undefined, null], 2])
  })

  it('decision 19: with less than half of its time left it fails with 503, and does not run', async () => {
    const { begin, ends, wait } = timedShop()
    const [first, repeat] = [await begin(), await begin()]
    await wait(timeoutMs / 2 + 10)
    ends[0]?.reject(new StoreError('payment_failed'))
    expect([await resultOf(first), await resultOf(repeat)]).toEqual([[400, 'payment_failed', null], late])
    expect(ends).toHaveLength(1)
    // It leaves the click free.
    const next = await begin()
    ends[1]?.resolve()
    expect(await resultOf(next)).toEqual([200, undefined, null])
  })

  it('decision 19: a request waits until timeoutMs after its arrival', async () => {
    const { begin, wait } = timedShop()
    const first = await begin()
    await wait(400)
    const repeat = await begin()
    const ended = vi.fn<() => void>()
    repeat.response.then(ended, ended)
    await wait(600)
    expect(await resultOf(first)).toEqual([504, 'store_timeout', null])
    await wait(390)
    expect(ended).not.toHaveBeenCalled()
    await wait(20)
    expect(await resultOf(repeat)).toEqual(late)
  })

  it('decision 18: reconcile may take half of timeoutMs', async () => {
    const { begin, ends, wait } = timedShop({ reconcile: () => new Promise(() => {}) })
    const first = await begin()
    ends[0]?.reject(new Error('lost'))
    expect(await resultOf(first)).toEqual([500, 'internal_error', null])
    const retry = await begin()
    const ended = vi.fn<() => void>()
    retry.response.then(ended, ended)
    await wait(timeoutMs / 2 - 10)
    expect(ended).not.toHaveBeenCalled()
    await wait(20)
    expect(ended).toHaveBeenCalled()
    expect([await resultOf(retry), ends.length]).toEqual([[503, 'store_unavailable', '30'], 1])
  })

  it('decision 20: after a 504 the lease is renewed until the attempt ends, and its success is replayed', async () => {
    const { begin, ends, wait } = timedShop({ honoursIdempotencyKey: true })
    const first = await begin()
    await wait(timeoutMs)
    expect(await resultOf(first)).toEqual([504, 'store_timeout', null])
    for (const pause of [leaseMs, leaseMs, hour]) {
      await wait(pause)
      const repeat = await begin()
      await wait(timeoutMs)
      expect(await resultOf(repeat)).toEqual(late)
    }
    ends[0]?.resolve()
    await wait(0)
    expect([await resultOf(await begin()), ends.length]).toEqual([[200, undefined, null], 1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('decision 20: the place of a named attempt in the order of the customer is renewed as well', async () => {
    const { begin, wait, post } = timedShop()
    await post(undo, beans)
    await begin({ 'idempotency-key': 'click-1' })
    await wait(timeoutMs + leaseMs)
    expect(await resultOf({ response: post(undo, beans) })).toEqual(late)
  })

  it('decision 20: the lease is renewed for at most 24 hours', async () => {
    const { begin, ends, wait } = timedShop()
    await begin()
    await wait(24 * hour + 2 * leaseMs)
    const repeat = await begin()
    ends[1]?.resolve()
    expect([await resultOf(repeat), ends.length]).toEqual([[200, undefined, null], 2])
  })

  it('decision 20: a named repeat gets 409 meanwhile', async () => {
    const { begin, ends, wait } = timedShop({ honoursIdempotencyKey: true })
    const named = { 'idempotency-key': 'click-1' }
    await begin(named)
    await wait(timeoutMs + leaseMs)
    expect(await resultOf(await begin(named))).toEqual([409, 'request_in_progress', '5'])
    ends[0]?.reject(new StoreError('payment_failed'))
    await wait(0)
    const repeat = await begin(named)
    ends[1]?.resolve()
    expect(await resultOf(repeat)).toEqual([200, undefined, null])
  })
})

it('lets a repeat run when the first attempt is lost, although it never ends', async () => {
  const clock = { now: 0 }
  const memory = memoryLedger({ now: () => clock.now })
  const ledger: Ledger = { isLocal: true, update: (name, change) => memory.update(name, change) }
  const ofProcess = (addProduct: NonNullable<StorePort['addProduct']>) =>
    shop({ addProduct, honoursIdempotencyKey: true }, { ledger }, { timeoutMs: 2000 })
  const began = deferred<string>()
  const lost = ofProcess((_, { idempotencyKey }) => {
    began.resolve(idempotencyKey)
    return new Promise(() => {})
  })
  void lost.post(add, beans)
  const keys = [await began.promise]
  const other = ofProcess(async (_, { idempotencyKey }) => void keys.push(idempotencyKey))
  clock.now = 7001
  expect((await other.post(add, beans)).status).toBe(200)
  expect(keys).toEqual([keys[0], keys[0]])
})

it('reads the ledger again and again for an attempt of another process, less often each time', async () => {
  const { ledger, reach } = countedLedger()
  const mayEnd = deferred<void>()
  const first = shop({ addProduct: () => mayEnd.promise }, { ledger })
  const second = shop({ addProduct: () => expect.unreachable() }, { ledger })
  const running = first.post(add, beans)
  await reach(1)
  const repeat = second.post(add, beans)
  await reach(5)
  mayEnd.resolve()
  expect([(await running).status, (await repeat).status]).toEqual([200, 200])
})

describe('the ledger', () => {
  it('receives no email, no key and nothing else that a caller sent', async () => {
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
    const { post } = shop({}, { ledger })
    const email = 'Some.Body@shop.example'
    await post(add, { email, product_id: 'dark-beans' })
    await post(sendNow, { email }, { 'idempotency-key': 'click-of-a-customer' })
    // A claim and a settle each: one document for the unnamed click, two for the named one.
    expect(received).toHaveLength(2 * (2 + 4))
    expect(received.join()).not.toMatch(/some.body|shop\.example|dark-beans|click-of-a-customer/i)
  })
})

describe('without a key from the caller', () => {
  it('runs 50 parallel repeats once and returns the same response to all', async () => {
    const { effects, post } = shop()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(sendNow, { email: 'a@b.example' })))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"success":true}']))
    expect(effects).toEqual(['send a@b.example'])
  })

  it('treats two ways of writing the same input as the same click', async () => {
    const { effects, post } = shop()
    await post(add, beans)
    await post(add, { one_time: false, quantity: 1, product_id: 'beans', email: ' A@B.example', discount_code: null })
    expect(effects).toHaveLength(1)
    await post(add, { ...beans, quantity: 2 })
    expect(effects).toHaveLength(2)
  })

  it('counts add, undo, add as three clicks', async () => {
    const { effects, post } = shop()
    await post(add, beans)
    await post(undo, beans)
    await post(add, beans)
    expect(effects).toEqual(['add a@b.example', 'undo a@b.example', 'add a@b.example'])
  })

  it('runs again after the window: 10 s, or 10 min for sendNow', async () => {
    const { effects, post, clock } = shop()
    const both = async () => {
      await post(add, { ...beans, email: 'other@b.example' })
      await post(sendNow, { email: 'a@b.example' })
    }
    await both()
    clock.now += 9_999
    await both()
    expect(effects).toHaveLength(2)
    // A window is judged at the arrival of the request, a moment before.
    clock.now += 1_000
    await both()
    expect(effects).toHaveLength(3)
    clock.now += 589_000
    await both()
    expect(effects.filter((effect) => effect.startsWith('send'))).toHaveLength(1)
    clock.now += 2_000
    await both()
    expect(effects.filter((effect) => effect.startsWith('send'))).toHaveLength(2)
  })

  it('never mixes two customers', async () => {
    const { effects, post } = shop()
    await post(add, beans)
    await post(add, { ...beans, email: 'c@d.example' })
    await post(add, beans)
    expect(effects).toEqual(['add a@b.example', 'add c@d.example'])
  })

  it('runs again after a rejection', async () => {
    let refusals = 1
    const effects: string[] = []
    const { post } = shop({
      addProduct: async () => {
        if (refusals-- > 0) throw new StoreError('payment_failed')
        effects.push('add')
      },
    })
    expect((await post(add, beans)).json.error?.code).toBe('payment_failed')
    expect((await post(add, beans)).status).toBe(200)
    expect(effects).toEqual(['add'])
  })

  it('runs a repeat itself when the attempt that it waited for is rejected, one after the other', async () => {
    let calls = 0
    const { post } = shop({
      addProduct: async () => {
        calls += 1
        if (calls < 3) throw new StoreError('payment_failed')
      },
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(add, beans)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200, 200])
    expect(calls).toBe(3)
  })

  it('counts a change of an endpoint without a window as one between two others', async () => {
    const { effects, post, clock } = shop({}, { windows: { undoAddProduct: 0 } })
    for (const path of [add, undo, undo, add]) {
      await post(path, beans)
      clock.now += 1_000
    }
    expect(effects).toHaveLength(4)
  })

  it('decision 8: sendNow runs again after another change, and the store rejects it', async () => {
    let sent = 0
    const { post, effects } = shop({
      sendNow: async () => {
        if (sent++ > 0) throw new StoreError('order_already_processing')
      },
    })
    const customer = { email: 'a@b.example' }
    expect((await post(sendNow, customer)).status).toBe(200)
    expect((await post(sendNow, customer)).status).toBe(200)
    await post(add, beans)
    expect((await post(sendNow, customer)).json.error?.code).toBe('order_already_processing')
    expect([sent, effects]).toEqual([2, ['add a@b.example']])
  })

  it('decision 13: without a window a repeat still waits for the attempt that runs', async () => {
    const mayEnd = deferred<void>()
    const clock = { now: 0 }
    const { ledger, reach } = countedLedger(() => clock.now)
    let runs = 0
    const { post } = shop({ addProduct: () => ((runs += 1), mayEnd.promise) }, { ledger, windows: { addProduct: 0 } })
    const both = [post(add, beans)]
    await reach(1)
    both.push(post(add, beans))
    await reach(2)
    mayEnd.resolve()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    expect(runs).toBe(1)
    clock.now += 1000
    await post(add, beans)
    expect(runs).toBe(2)
  })

  it('can be turned off for one endpoint, or for all', async () => {
    const some = shop({}, { windows: { addProduct: 0 } })
    await some.post(add, beans)
    some.clock.now += 1_000
    await some.post(add, beans)
    await some.post(sendNow, { email: 'a@b.example' })
    await some.post(sendNow, { email: 'a@b.example' })
    expect(some.effects).toHaveLength(3)
    const none = shop({}, false)
    await none.post(sendNow, { email: 'a@b.example' })
    await none.post(sendNow, { email: 'a@b.example' })
    expect(none.effects).toHaveLength(2)
    expect(new Set(none.keys).size).toBe(2)
    await none.post(sendNow, { email: 'a@b.example' }, { 'idempotency-key': 'click-1' })
    await none.post(sendNow, { email: 'a@b.example' }, { 'idempotency-key': 'click-1' })
    expect(none.keys[2]).toBe(none.keys[3])
  })
})

describe('while the outcome of an attempt is unknown', () => {
  /** A store that loses the response of its first change; it makes a change once for each key if it honours keys. */
  const lossy = (
    effects: string[],
    honoursIdempotencyKey: NonNullable<StorePort['honoursIdempotencyKey']>,
  ): StorePort => {
    const applied = new Set<string>()
    const change =
      (what: string) =>
      async (_: unknown, { idempotencyKey }: Context) => {
        const isRepeat = applied.has(idempotencyKey)
        if (!isRepeat || honoursIdempotencyKey === false) effects.push(what)
        applied.add(idempotencyKey)
        if (!isRepeat) throw new Error('lost the connection after the commit')
      }
    return {
      honoursIdempotencyKey,
      addProduct: change('add'),
      undoAddProduct: change('undo'),
      sendNow: change('send'),
      delaySubscription: change('delay'),
      swapProduct: change('swap'),
      reactivateSubscription: change('reactivate'),
      runCustomAction: change('action'),
    }
  }
  const swap = { email: 'a@b.example', current_item_id: 'item_1', new_product_id: 'p1' }

  it('runs a retry under the same key in a store that honours it', async () => {
    const effects: string[] = []
    const { post } = shop(lossy(effects, true))
    expect((await post(add, beans)).status).toBe(500)
    expect((await post(add, beans)).status).toBe(200)
    expect(effects).toEqual(['add'])
  })

  it('decision 15: runs no retry after the time for which the store honours the key', async () => {
    const effects: string[] = []
    const { post, clock } = shop(lossy(effects, { forMs: 60_000 }))
    for (const path of [add, undo]) await post(path, beans)
    clock.now += 59_999
    expect((await post(add, beans)).status).toBe(200)
    clock.now += 1
    const retried = await post(undo, beans)
    expect([retried.status, retried.headers.get('retry-after')]).toEqual([503, '3600'])
    expect(effects).toEqual(['add', 'undo'])
  })

  it.each(['store_unavailable', 'request_in_progress'] as const)(
    'is still unknown when a retry ends with %s',
    async (code) => {
      const keys: string[] = []
      const { post } = shop({
        honoursIdempotencyKey: true,
        sendNow: async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          if (keys.length === 1) throw new Error('lost')
          if (keys.length === 2) throw new StoreError(code)
        },
      })
      for (let attempts = 0; attempts < 3; attempts++) await post(sendNow, { email: 'a@b.example' })
      expect(new Set(keys).size).toBe(1)
      expect(keys).toHaveLength(3)
    },
  )

  it.each<[string, string, object]>([
    ['add', add, beans],
    ['undo', undo, beans],
    ['send', sendNow, { email: 'a@b.example' }],
    ['swap', '/integration/customer-portal/swap-product', swap],
    ['action', '/integration/custom-action', { email: 'a@b.example', action_id: 'a1' }],
  ])('decision 14: rejects a retry of %s with the time that is left, at most an hour', async (effect, path, body) => {
    const effects: string[] = []
    const { post, clock } = shop(lossy(effects, false))
    expect((await post(path, body)).status).toBe(500)
    const retried = await post(path, body)
    expect([retried.status, retried.json.error?.code, retried.headers.get('retry-after')]).toEqual([
      503,
      'store_unavailable',
      '3600',
    ])
    clock.now += 86_400_000 - 4000
    expect((await post(path, body)).headers.get('retry-after')).toBe('4')
    expect(effects).toEqual([effect])
    clock.now += 4000
    await post(path, body)
    expect(effects).toEqual([effect, effect])
  })

  it.each<[string, string, object]>([
    ['delay', delay, { email: 'a@b.example', new_date: '2030-01-01' }],
    ['reactivate', '/integration/reactivate/subscription', { email: 'a@b.example', subscription_id: 'sub_1' }],
  ])('decision 14: runs a retry of %s, which has the same effect', async (effect, path, body) => {
    const effects: string[] = []
    const { post } = shop(lossy(effects, false))
    expect((await post(path, body)).status).toBe(500)
    expect((await post(path, body)).status).toBe(200)
    expect(effects).toEqual([effect, effect])
  })

  it('counts an upstream failure as unknown, and store_unavailable as a rejection', async () => {
    const codes = ['upstream_error', 'store_unavailable'] as const
    const waits = codes.map(async (code) => {
      const { post } = shop({
        sendNow: async () => {
          throw new StoreError(code)
        },
      })
      await post(sendNow, { email: 'a@b.example' })
      return (await post(sendNow, { email: 'a@b.example' })).headers.get('retry-after')
    })
    expect(await Promise.all(waits)).toEqual(['3600', '5'])
  })
})

describe('with Idempotency-Key', () => {
  const named = (name: string) => ({ 'idempotency-key': name })

  it('replays the response of the same key and body for 24 hours, whatever came between, with a header', async () => {
    const { effects, post, clock } = shop()
    const first = await post(add, beans, named('"click-1"'))
    expect(first.headers.has('idempotency-replayed')).toBe(false)
    await post(undo, beans)
    clock.now += 86_399_999
    const again = await post(add, beans, named('click-1'))
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(effects).toEqual(['add a@b.example', 'undo a@b.example'])
    clock.now += 1_000
    await post(add, beans, named('click-1'))
    expect(effects).toHaveLength(3)
  })

  it('runs two keys twice for the same body', async () => {
    const { effects, post } = shop()
    await post(add, beans, named('click-1'))
    await post(add, beans, named('click-2'))
    expect(effects).toHaveLength(2)
  })

  it('rejects a key that was used for another body, and accepts it for another endpoint', async () => {
    const { effects, post } = shop()
    await post(add, beans, named('click-1'))
    const other = await post(add, { ...beans, quantity: 2 }, named('click-1'))
    expect([other.status, other.json.error?.code]).toEqual([422, 'idempotency_key_reused'])
    await post(undo, beans, named('click-1'))
    expect(effects).toHaveLength(2)
  })

  it('returns 409 while the first is running, and a rejection does not use a key up', async () => {
    const called = deferred<void>()
    const refused = deferred<void>()
    let calls = 0
    const { post } = shop({
      sendNow: () => {
        calls += 1
        called.resolve()
        return calls === 1 ? refused.promise : Promise.resolve()
      },
    })
    const first = post(sendNow, { email: 'a@b.example' }, named('k'))
    await called.promise
    const second = await post(sendNow, { email: 'a@b.example' }, named('k'))
    expect([second.status, second.json.error?.code, second.headers.get('retry-after')]).toEqual([
      409,
      'request_in_progress',
      '5',
    ])
    refused.reject(new StoreError('payment_failed'))
    expect((await first).status).toBe(400)
    expect((await post(sendNow, { email: 'a@b.example' }, named('k'))).status).toBe(200)
  })

  it.each(['', '""', 'two words', 'é', `"${'x'.repeat(256)}"`, 'a, b'])('rejects %j', async (bad) => {
    const { effects, post } = shop()
    expect((await post(add, beans, named(bad))).status).toBe(400)
    expect(effects).toEqual([])
  })

  it.each(['x', 'x'.repeat(255), '"say \\"hi\\""', 'a=b;c'])('accepts %j', async (good) => {
    const { effects, post } = shop()
    await post(add, beans, named(good))
    await post(add, beans, named(good))
    expect(effects).toHaveLength(good.includes(' ') ? 0 : 1)
  })
})

describe('the platform key', () => {
  const named = { 'idempotency-key': 'click-1' }

  /** A store that honours keys and fails as often as the test wants; returns the keys of its attempts. */
  function keyedShop(failures: number, apiKeys = [key]) {
    const keys: string[] = []
    const ledger: { now: Ledger } = { now: memoryLedger() }
    const ofKeys = (some: readonly string[]) =>
      shop(
        {
          honoursIdempotencyKey: true,
          addProduct: async (_, { idempotencyKey }) => {
            keys.push(idempotencyKey)
            if (keys.length <= failures) throw new Error('lost')
          },
        },
        { ledger: { isLocal: true, update: (name, change) => ledger.now.update(name, change) } },
        { apiKeys: some },
      )
    return { ...ofKeys(apiKeys), keys, ofKeys, forget: () => (ledger.now = memoryLedger()) }
  }

  it('decision 4: is the same for all attempts of a click', async () => {
    for (const headers of [{}, named]) {
      const { keys, post } = keyedShop(3)
      for (let attempts = 0; attempts < 4; attempts++) await post(add, beans, headers)
      expect([keys.length, new Set(keys).size]).toEqual([4, 1])
    }
  })

  it('decision 4: of a named click survives the loss of the ledger, of an unnamed one it is new', async () => {
    for (const [headers, size] of [
      [named, 1],
      [{}, 2],
    ] as const) {
      const { keys, post, forget } = keyedShop(1)
      await post(add, beans, headers)
      forget()
      await post(add, beans, headers)
      expect([keys.length, new Set(keys).size]).toEqual([2, size])
    }
  })

  it('decision 4: of an unnamed click is new for each instance, of a named one it is the same', async () => {
    for (const [headers, size] of [
      [named, 1],
      [{}, 2],
    ] as const) {
      const keys: string[] = []
      const { post } = shop({
        addProduct: async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          throw new StoreError('payment_failed')
        },
      })
      await post(add, beans, headers)
      await post(add, beans, headers)
      expect([keys.length, new Set(keys).size]).toEqual([2, size])
    }
  })

  it('decision 1: a retry after a rotation of the API key is the same click', async () => {
    const rotated = 'another-key-of-the-tests-0002'
    for (const headers of [{}, named]) {
      const { keys, post, ofKeys } = keyedShop(1)
      expect((await post(add, beans, headers)).status).toBe(500)
      const after = ofKeys([rotated])
      const retried = await after.post(add, beans, { ...headers, 'x-integration-api-key': rotated })
      expect([retried.status, keys.length, new Set(keys).size]).toEqual([200, 2, 1])
      await after.post(add, beans, { ...headers, 'x-integration-api-key': rotated })
      expect(keys).toHaveLength(2)
    }
  })

  it('decision 1: scope and test mode keep clicks with one name apart', async () => {
    const keys: string[] = []
    const ledger = memoryLedger()
    const store: StorePort = { addProduct: async (_, { idempotencyKey }) => void keys.push(idempotencyKey) }
    for (const scope of ['one', 'other']) {
      const { post } = shop(store, { ledger }, { scope, testStore: store })
      await post(add, beans, named)
      await post(add, beans, { ...named, 'x-integration-test-mode': 'true' })
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 4])
  })

  it('decision 3: named and unnamed requests with the same input both run', async () => {
    const { effects, keys, post } = shop()
    await post(add, beans)
    const other = await post(add, beans, named)
    expect(other.headers.has('idempotency-replayed')).toBe(false)
    expect([effects.length, new Set(keys).size]).toEqual([2, 2])
  })
})

describe('the identity of a click', () => {
  it('is the same for all requests of a click, and names whether it has a key', async () => {
    const seen: Context['clickIdentity'][] = []
    const { clock, post } = shop({
      reconcile: async () => 'unknown',
      sendNow: async (_, { clickIdentity }) => void seen.push(clickIdentity),
    })
    for (const headers of [{ 'idempotency-key': 'one' }, {}, {}]) {
      clock.now += 25 * 60 * 60_000
      expect((await post(sendNow, { email: 'a@b.example' }, headers)).status).toBe(200)
    }
    const [named, unnamed, again] = seen
    expect(named).toEqual({ named: true, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), windowMs: 86_400_000 })
    expect(unnamed).toEqual({ named: false, fingerprint: named?.fingerprint, windowMs: 600_000 })
    expect(again).toEqual(unnamed)
  })

  it('is given only to a store with reconcile', async () => {
    const seen: Context['clickIdentity'][] = []
    const { post } = shop({ sendNow: async (_, { clickIdentity }) => void seen.push(clickIdentity) })
    expect((await post(sendNow, { email: 'a@b.example' })).status).toBe(200)
    expect(seen).toEqual([undefined])
  })
})
