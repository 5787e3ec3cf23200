import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Context,
  type DocumentWrite,
  keepsClicks,
  type KeptClick,
  type Ledger,
  memoryLedger,
  outcomeOf,
  type PendingClick,
  type Reconciled,
  type ReconcileContext,
  StoreError,
  type StoredClicks,
  type StorePort,
} from '@storeport/core'
import { deferred, integrationOf, key, send } from './support.ts'

const sendNow = '/integration/customer-portal/send-now'
const add = '/integration/upsells/add-product'
const undo = '/integration/upsells/undo-add-product'
const customer = { email: 'a@b.example' }
const beans = { ...customer, product_id: 'beans' }
const named = { 'idempotency-key': 'click-1' }
const minute = 60_000

/** A ledger in memory whose clock the test turns, and which counts its updates. */
function watchedLedger(isYoung = false) {
  const clock = { now: 0 }
  const seen = { updates: 0, hasForgotten: 0 }
  const memory = memoryLedger({ now: () => clock.now })
  const ledger: Ledger = {
    update: (name, change) => {
      seen.updates += 1
      return memory.update(name, (stored, now) => {
        const changed = change(stored, now, isYoung)
        if (changed.hasForgotten === true) seen.hasForgotten += 1
        return changed
      })
    },
  }
  return { clock, seen, ledger }
}

function integrate(store: StorePort, timeoutMs = 10_000) {
  const errors: unknown[] = []
  const integration = integrationOf(store, { scope: 'my-shop', onError: (error) => errors.push(error), timeoutMs })
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  return { post, errors, integration }
}

describe('outcomeOf', () => {
  it.each([
    ['payment_failed', 'refused'],
    ['rate_limited', 'refused'],
    ['store_unavailable', 'refused'],
    ['request_timeout', 'unknown'],
    ['request_in_progress', 'unknown'],
    ['internal_error', 'unknown'],
    ['upstream_error', 'unknown'],
    ['store_timeout', 'unknown'],
  ] as const)('treats %s as %s unless the error has an outcome', (code, outcome) => {
    const other = outcome === 'refused' ? 'unknown' : 'refused'
    expect(outcomeOf(new StoreError(code))).toBe(outcome)
    expect(outcomeOf(new StoreError(code, undefined, { outcome: other }))).toBe(other)
  })

  it('treats everything else that is thrown as unknown, and recognises an error of another copy of this package', () => {
    expect(outcomeOf(new TypeError('x'))).toBe('unknown')
    expect(outcomeOf(undefined)).toBe('unknown')
    expect(outcomeOf(Object.assign(new Error('x'), { name: 'StoreError', code: 'payment_failed' }))).toBe('refused')
  })
})

describe('a retry of a click whose outcome is unknown', () => {
  /** A shop system that loses its first response, and finds out how that attempt ended. */
  function lossy(reconcile: (key: string) => Promise<Reconciled>, then: () => Promise<void> = async () => {}) {
    const { clock, seen, ledger } = watchedLedger()
    const runs: string[] = []
    const asked: [method: string, email: string, context: ReconcileContext][] = []
    const store: StorePort = {
      ledger,
      addProduct: async (_, { idempotencyKey }) => {
        runs.push(idempotencyKey)
        if (runs.length === 1) throw new Error('lost')
        await then()
      },
      undoAddProduct: async () => {},
      reconcile: (method, input, context) => {
        asked.push([method, input.email, context])
        return reconcile(context.idempotencyKey)
      },
    }
    return { clock, seen, runs, asked, store }
  }

  it('decision 12: gets the success that the store finds, whose window starts then', async () => {
    const { store, runs, asked, clock } = lossy(async () => 'applied')
    const { post } = integrate(store)
    expect((await post(add, beans)).status).toBe(500)
    clock.now += 60 * minute
    expect((await post(add, beans)).status).toBe(200)
    clock.now += 9_000
    expect((await post(add, beans)).status).toBe(200)
    expect([runs.length, asked.length]).toEqual([1, 1])
    clock.now += 2_000
    expect((await post(add, beans)).status).toBe(200)
    expect([runs.length, asked.length]).toEqual([2, 1])
  })

  it('decision 12: finds it for a caller that has left, and stores it for 10 minutes', async () => {
    const leaving = new AbortController()
    const { store, runs, clock } = lossy(async () => {
      leaving.abort()
      return 'applied'
    })
    const { post, integration } = integrate(store)
    await post(add, beans)
    await integration.fetch(leavingRequest(leaving.signal))
    clock.now += 9 * minute
    expect((await post(add, beans)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('decision 17: passes the key, the input, the click and the times of the attempts to reconcile', async () => {
    for (const headers of [{}, named]) {
      const { store, runs, asked, clock } = lossy(
        async () => (asked.length === 1 ? 'not_applied' : 'unknown'),
        () => Promise.reject(new Error('lost again')),
      )
      const { post } = integrate(store)
      const before = Date.now()
      await post(add, beans, headers)
      clock.now += minute
      await post(add, beans, headers)
      clock.now += minute
      await post(add, beans, headers)
      const [[method, email, context] = [], [, , second] = []] = asked
      expect([method, email, context?.idempotencyKey]).toEqual(['addProduct', 'a@b.example', runs[0]])
      const isNamed = 'idempotency-key' in headers
      expect(context?.clickIdentity).toEqual({
        named: isNamed,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        windowMs: isNamed ? 24 * 60 * minute : 10_000,
      })
      expect(context).toMatchObject({ ledgerIsYoung: false, testMode: false, requestId: expect.any(String) })
      // The clock of the ledger has moved by a minute, and that of this process has not.
      expect(context?.firstAttemptAt).toBe(context?.lastAttemptAt)
      expect(Math.abs((context?.firstAttemptAt ?? 0) + minute - before)).toBeLessThan(minute / 2)
      // not_applied ends the attempts before it.
      expect(Math.abs((second?.firstAttemptAt ?? 0) + minute - before)).toBeLessThan(minute / 2)
      expect(runs).toEqual([runs[0], runs[0]])
    }
  })

  it('decision 17: the first and the last attempt have their own times', async () => {
    const { ledger, clock } = watchedLedger()
    const asked: ReconcileContext[] = []
    const addProduct = () => Promise.reject(new Error('lost'))
    const honouring = integrate({ ledger, addProduct, honoursIdempotencyKey: true })
    await honouring.post(add, beans)
    clock.now += 5 * minute
    await honouring.post(add, beans)
    const reconcile: StorePort['reconcile'] = async (_method, _input, context) => (asked.push(context), 'applied')
    await integrate({ ledger, addProduct, reconcile }).post(add, beans)
    const [{ firstAttemptAt = 0, lastAttemptAt = 0 } = {}] = asked
    expect(Math.round((lastAttemptAt - firstAttemptAt) / 1000)).toBe(300)
  })

  it('decision 11: runs under the key of the first attempt after not_applied, and its rejection frees the click', async () => {
    const ends = [new StoreError('payment_failed'), undefined]
    const { store, runs } = lossy(
      async () => 'not_applied',
      async () => {
        const end = ends.shift()
        if (end !== undefined) throw end
      },
    )
    const { post } = integrate(store)
    await post(add, beans)
    expect((await post(add, beans)).status).toBe(400)
    expect(runs).toEqual([runs[0], runs[0]])
    expect((await post(add, beans)).status).toBe(200)
    expect(runs[2]).not.toBe(runs[0])
  })

  it.each<[string, () => Promise<Reconciled>, number]>([
    ['returns unknown', async () => 'unknown', 10_000],
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a store without types returns anything
    ['returns something else', async () => 'yes' as Reconciled, 10_000],
    ['throws', () => Promise.reject(new StoreError('payment_failed')), 10_000],
    ['never answers', () => new Promise(() => {}), 300],
  ])('decision 14: fails with 503 if reconcile %s, to be sent again in 30 s', async (_, reconcile, timeoutMs) => {
    const { store, runs } = lossy(reconcile)
    const { post } = integrate(store, timeoutMs)
    await post(add, beans)
    for (let attempts = 0; attempts < 2; attempts++) {
      const retried = await post(add, beans)
      expect([retried.status, retried.json.error?.code, retried.headers.get('retry-after')]).toEqual([
        503,
        'store_unavailable',
        '30',
      ])
    }
    expect(runs).toHaveLength(1)
  })

  it('decision 18: reconcile is called by one retry, and the others get what it finds', async () => {
    const answer = deferred<Reconciled>()
    const { store, runs, asked, seen } = lossy(() => answer.promise)
    const { post } = integrate(store)
    await post(add, beans)
    const { updates } = seen
    const retries = Array.from({ length: 5 }, () => post(add, beans))
    await expect.poll(() => seen.updates).toBeGreaterThanOrEqual(updates + 5)
    answer.resolve('applied')
    expect((await Promise.all(retries)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect([runs.length, asked.length]).toEqual([1, 1])
  })

  it('decision 18: after not_applied the attempt does not run if a late success came first', async () => {
    const { ledger, clock } = watchedLedger()
    const first = deferred<void>()
    let runs = 0
    const store: StorePort = {
      ledger,
      addProduct: () => ((runs += 1), runs === 1 ? first.promise : Promise.resolve()),
      reconcile: async () => {
        first.resolve()
        await running
        return 'not_applied'
      },
    }
    const { post } = integrate(store)
    const running = post(add, beans)
    await expect.poll(() => runs).toBe(1)
    clock.now += 15_000
    // Another process: it does not wait for the attempt of this one.
    expect((await integrate(store).post(add, beans)).status).toBe(200)
    expect([(await running).status, runs]).toEqual([200, 1])
  })

  it('decision 24: reconcile settles the place of a named click in the order of the customer', async () => {
    const { store, runs } = lossy(async () => 'applied')
    const { post } = integrate(store)
    expect((await post(undo, beans)).status).toBe(200)
    expect((await post(add, beans, named)).status).toBe(500)
    expect((await post(undo, beans)).status).toBe(503)
    expect((await post(add, beans, named)).headers.get('idempotency-replayed')).toBe('true')
    expect(runs).toHaveLength(1)
    let undone = 0
    const counting = integrate({ ...store, undoAddProduct: async () => void (undone += 1) })
    expect((await counting.post(undo, beans)).status).toBe(200)
    expect(undone).toBe(1)
  })

  it('stays unknown for 24 hours, however often it is sent again', async () => {
    const { store, runs, clock } = lossy(async () => 'unknown')
    const { post } = integrate(store)
    await post(add, beans)
    clock.now += 24 * 60 * minute - 1
    expect((await post(add, beans)).status).toBe(503)
    clock.now += 1
    expect((await post(add, beans)).status).toBe(200)
    expect(runs).toHaveLength(2)
  })

  it('decision 11: stays unknown when a later attempt is rejected, unless the store has answered', async () => {
    const { ledger } = watchedLedger()
    const ends = [new Error('lost'), new StoreError('order_already_processing'), undefined]
    const keys: string[] = []
    const { post } = integrate({
      ledger,
      honoursIdempotencyKey: true,
      sendNow: async (_, { idempotencyKey }) => {
        keys.push(idempotencyKey)
        const end = ends.shift()
        if (end !== undefined) throw end
      },
    })
    for (const status of [500, 400, 200]) expect((await post(sendNow, customer)).status).toBe(status)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  })
})

describe('decision 29: on a young ledger', () => {
  /** A store that has seen some fingerprints. */
  function youngShop(answer: Reconciled) {
    const { ledger, clock } = watchedLedger(true)
    const asked: ReconcileContext[] = []
    let runs = 0
    const store: StorePort = {
      ledger,
      addProduct: async () => void (runs += 1),
      undoAddProduct: async () => {},
      reconcile: async (_method, _input, context) => (asked.push(context), answer),
    }
    return { ...integrate(store), store, clock, asked, runs: () => runs }
  }

  it('a first attempt asks the store, without times of attempts', async () => {
    for (const headers of [{}, named]) {
      const { post, asked, runs } = youngShop('applied')
      expect((await post(add, beans, headers)).status).toBe(200)
      expect(runs()).toBe(0)
      expect(asked).toHaveLength(1)
      expect(asked[0]).toMatchObject({
        ledgerIsYoung: true,
        firstAttemptAt: undefined,
        lastAttemptAt: undefined,
        clickIdentity: { fingerprint: expect.any(String) },
      })
    }
  })

  it('runs after not_applied, and fails with 503 while the store does not know', async () => {
    const free = youngShop('not_applied')
    expect([(await free.post(add, beans)).status, free.runs()]).toEqual([200, 1])
    const open = youngShop('unknown')
    const stopped = await open.post(add, beans)
    expect([stopped.status, stopped.headers.get('retry-after'), open.runs()]).toEqual([503, '30', 0])
  })

  it('a click whose attempts are known is not a forgotten one', async () => {
    const { post, store, asked } = youngShop('not_applied')
    const losing = integrate({ ...store, addProduct: () => Promise.reject(new Error('lost')) })
    expect((await losing.post(add, beans)).status).toBe(500)
    expect((await post(add, beans)).status).toBe(200)
    expect(asked.map(({ ledgerIsYoung, firstAttemptAt }) => [ledgerIsYoung, firstAttemptAt === undefined])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('add, undo, add are three clicks', async () => {
    const { post, store, asked, runs } = youngShop('not_applied')
    await post(add, beans)
    await post(undo, beans)
    const finding = integrate({ ...store, reconcile: async () => 'applied' })
    await finding.post(add, beans)
    expect([runs(), asked.length]).toEqual([2, 2])
  })

  it('without reconcile the click runs, and one line is logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { ledger } = watchedLedger(true)
    const { post } = integrate({ ledger, addProduct: async () => {}, sendNow: async () => {} })
    await post(add, beans, named)
    expect(warn).not.toHaveBeenCalled()
    for (const path of [add, undo, sendNow]) await post(path, beans)
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^storeport: The ledger is new or has lost its data/)]])
  })

  it('a store with reconcile is asked, so that nothing is logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { post } = youngShop('not_applied')
    for (const path of [add, undo, add]) await post(path, beans)
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('an attempt that ends after its response', () => {
  it('decision 12: settles then; the success is stored for 10 minutes, and its first replay starts the window', async () => {
    const { clock, seen, ledger } = watchedLedger()
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({ ledger, addProduct: () => ((runs += 1), ending.promise) }, 300)
    expect((await post(add, beans)).status).toBe(504)
    expect(seen.updates).toBe(1)
    ending.resolve()
    await expect.poll(() => seen.updates).toBe(2)
    for (const pause of [9 * minute, 9_000]) {
      clock.now += pause
      expect((await post(add, beans)).status).toBe(200)
      expect(runs).toBe(1)
    }
    clock.now += 2_000
    await post(add, beans)
    expect(runs).toBe(2)
  })

  it('can be repeated when it was rejected after all', async () => {
    const { seen, ledger } = watchedLedger()
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({ ledger, sendNow: () => (++runs === 1 ? ending.promise : Promise.resolve()) }, 300)
    expect((await post(sendNow, customer)).status).toBe(504)
    ending.reject(new StoreError('payment_failed'))
    await expect.poll(() => seen.updates).toBe(2)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(runs).toBe(2)
  })

  it('is unknown when it failed in another way', async () => {
    const { seen, ledger } = watchedLedger()
    const ending = deferred<void>()
    const { post } = integrate({ ledger, sendNow: () => ending.promise }, 300)
    expect((await post(sendNow, customer)).status).toBe(504)
    ending.reject(new Error('lost'))
    await expect.poll(() => seen.updates).toBe(2)
    expect((await post(sendNow, customer)).headers.get('retry-after')).toBe('3600')
  })

  it('decision 23: a success is stored for 10 minutes when its caller has left before the response', async () => {
    const { clock, ledger } = watchedLedger()
    const leaving = new AbortController()
    let runs = 0
    const { integration, post } = integrate({ ledger, addProduct: async () => ((runs += 1), leaving.abort()) })
    await integration.fetch(leavingRequest(leaving.signal))
    clock.now += 9 * minute
    expect((await post(add, beans)).status).toBe(200)
    expect(runs).toBe(1)
  })
})

/** A request to add beans whose caller leaves. */
function leavingRequest(signal: AbortSignal): Request {
  return new Request(`https://shop.example${add}`, {
    method: 'POST',
    headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(beans),
    signal,
  })
}

describe('a ledger', () => {
  /** A ledger in memory with a fault before some updates. */
  function faulty(fault: (update: number) => void | Promise<void>) {
    const memory = memoryLedger()
    let updates = 0
    const ledger: Ledger = {
      update: async (name, change) => {
        updates += 1
        await fault(updates)
        return memory.update(name, change)
      },
    }
    const runs: string[] = []
    const store: StorePort = { ledger, sendNow: async () => void runs.push('send') }
    return { runs, store }
  }

  it('decision 25: that answers a claim too late has the click released', async () => {
    const answer = deferred<void>()
    const { store, runs } = faulty((update) => (update === 1 ? answer.promise : undefined))
    const { post } = integrate(store, 300)
    expect((await post(sendNow, customer)).status).toBe(503)
    answer.resolve()
    await expect.poll(async () => (await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('decision 24: that fails in the second document of a named claim has the first released', async () => {
    const { store, runs } = faulty((update) => {
      if (update === 2) throw new Error('lost')
    })
    const { post } = integrate(store)
    expect((await post(sendNow, customer, named)).status).toBe(503)
    await expect.poll(async () => (await post(sendNow, customer, named)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('decision 24: that enters a named click too late has its place in the order released', async () => {
    const answer = deferred<void>()
    // A claim and a settle of sendNow, and the claim of the name.
    const { store, runs } = faulty((update) => (update === 4 ? answer.promise : undefined))
    const { post } = integrate({ ...store, addProduct: async () => {} }, 300)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect((await post(add, beans, named)).status).toBe(503)
    answer.resolve()
    await expect.poll(async () => (await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('decision 24: rejects a name with another body before the customer is looked up', async () => {
    const names: string[] = []
    const memory = memoryLedger()
    const ledger: Ledger = { update: (name, change) => (names.push(name), memory.update(name, change)) }
    const { post } = integrate({ ledger, addProduct: async () => {} })
    await post(add, beans, named)
    names.length = 0
    expect((await post(add, { ...beans, email: 'c@d.example' }, named)).status).toBe(422)
    expect(names).toEqual([expect.stringMatching(/^my-shop:live:name:/)])
  })

  it('decision 24: claims the name first and the customer second, and settles the customer first', async () => {
    const names: string[] = []
    const memory = memoryLedger()
    const ledger: Ledger = {
      update: (name, change) => (names.push(name.split(':')[2] ?? ''), memory.update(name, change)),
    }
    await integrate({ ledger, sendNow: async () => {} }).post(sendNow, customer, named)
    expect(names).toEqual(['name', 'customer', 'customer', 'name'])
  })

  it('that cannot settle does not undo a success, and settles in the background', async () => {
    const { store, runs } = faulty((update) => {
      if (update === 2) throw new Error('disk full')
    })
    const { post, errors } = integrate(store)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(errors).toEqual([expect.objectContaining({ cause: new Error('disk full') })])
    // The repeat waits while the click counts as running, and then gets the success.
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('decision 28: that has lost an attempt stores its end again', async () => {
    const { seen, ledger } = watchedLedger()
    const lost = { now: ledger }
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({
      ledger: { update: (name, change) => lost.now.update(name, change) },
      sendNow: () => ((runs += 1), ending.promise),
    })
    const first = post(sendNow, customer)
    await expect.poll(() => runs).toBe(1)
    const empty = watchedLedger()
    lost.now = empty.ledger
    ending.resolve()
    expect((await first).status).toBe(200)
    expect([(await post(sendNow, customer)).status, runs]).toEqual([200, 1])
    expect([seen.hasForgotten, empty.seen.hasForgotten]).toEqual([0, 1])
  })
})

describe('a method that keeps its clicks', () => {
  /** A store that keeps documents in its own transactions, of which one runs at a time. */
  function keeping(change: (click: PendingClick | undefined) => Promise<void> = async () => {}) {
    const clock = { now: 0 }
    const memory = memoryLedger({ now: () => clock.now })
    const clicks: PendingClick[] = []
    const updates: string[] = []
    let documents: ReadonlyMap<string, StoredClicks> = new Map()
    let changes = 0
    const write = (writes: readonly DocumentWrite[]) => {
      documents = new Map([...documents, ...writes.map(({ key: name, document }) => [name, document] as const)])
    }
    const keep = async (click: PendingClick): Promise<KeptClick['state']> => {
      const { customer: first, named: second } = click
      const stored = {
        customer: documents.get(first),
        named: second === undefined ? undefined : documents.get(second),
      }
      const kept = click.keep(stored, clock.now)
      if (kept.state === 'run') {
        await change(click)
        changes += 1
      }
      write(kept.writes)
      return kept.state
    }
    const store: StorePort = {
      ledger: {
        update: (name, changeOf) => {
          updates.push(name)
          const { result, document } = changeOf(documents.get(name), clock.now, false)
          if (document !== undefined) write([{ key: name, document, keepMs: 0 }])
          return result
        },
      },
      sendNow: keepsClicks(async (_input, { click }: Context) => {
        if (click === undefined) return 'ran'
        clicks.push(click)
        return keep(click)
      }),
    }
    return { clock, clicks, updates, store, memory, changes: () => changes, keep }
  }

  it('gets the click, and keeps it with its change; the ledger is not used', async () => {
    const { store, clicks, updates, changes } = keeping()
    const { post } = integrate(store)
    const first = await post(sendNow, customer, named)
    const again = await post(sendNow, customer, named)
    expect([first, again].map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, 'true'],
    ])
    expect(clicks.map(({ named: name }) => name)).toEqual([
      expect.stringMatching(/^my-shop:live:name:[0-9a-f]{64}$/),
      clicks[0]?.named,
    ])
    expect([changes(), updates]).toEqual([1, []])
  })

  it('decision 35: keeps no click of a change that it rolls back', async () => {
    let failures = 1
    const { store, changes } = keeping(async () => {
      if (failures-- > 0) throw new StoreError('payment_failed')
    })
    const { post } = integrate(store)
    expect((await post(sendNow, customer)).status).toBe(400)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(changes()).toBe(1)
  })

  it('decision 33: skips the work in a transaction that runs again after its commit', async () => {
    const { store, keep, changes } = keeping()
    const states: string[] = []
    const { post } = integrate({
      ...store,
      sendNow: keepsClicks(async (_input, { click }: Context) => {
        if (click !== undefined) states.push(await keep(click), await keep(click))
      }),
    })
    expect((await post(sendNow, customer, named)).headers.has('idempotency-replayed')).toBe(false)
    expect([states, changes()]).toEqual([['run', 'ran'], 1])
  })

  it('decision 4: has one platform key for all attempts of a named click', async () => {
    const keys: string[] = []
    const { store, keep } = keeping(() => Promise.reject(new Error('rolled back')))
    const { post } = integrate({
      ...store,
      sendNow: keepsClicks(async (_input, context: Context) => {
        keys.push(context.idempotencyKey)
        if (context.click !== undefined) await keep(context.click)
      }),
    })
    for (let attempts = 0; attempts < 3; attempts++) await post(sendNow, customer, named)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  })

  it('runs parallel repeats one after the other, and the change once', async () => {
    const { store, changes } = keeping()
    const { post } = integrate(store)
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(sendNow, customer)))
    expect([new Set(responses.map(({ text }) => text)), changes()]).toEqual([new Set(['{"success":true}']), 1])
  })

  it('decision 23: stores the success for 10 minutes when its caller has left', async () => {
    const leaving = new AbortController()
    const { store, updates, clock, changes } = keeping(async () => leaving.abort())
    const { sendNow: method } = store
    if (method === undefined) throw new Error('no method')
    const { integration, post } = integrate({ ledger: store.ledger, addProduct: method })
    await integration.fetch(leavingRequest(leaving.signal))
    await expect.poll(() => updates.length).toBe(1)
    clock.now += 9 * minute
    await post(add, beans)
    expect(changes()).toBe(1)
  })

  it('has until 2 s before the end of its time for a commit', async () => {
    const { store, clicks } = keeping()
    const before = performance.now()
    await integrate(store).post(sendNow, customer)
    const [click] = clicks
    expect(click?.commitBy).toBeGreaterThan(before + 7999)
    expect(click?.commitBy).toBeLessThan(performance.now() + 8000)
  })

  it('keeps its mark in a store that is made of it, and works without an integration', async () => {
    const { store, updates } = keeping()
    const { post } = integrate({ ...store })
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(updates).toEqual([])
    const context = { requestId: 'r', idempotencyKey: 'k', testMode: false, signal: new AbortController().signal }
    expect(await store.sendNow?.(customer, context)).toBeUndefined()
  })
})

describe('decision 34: a method that claims its click outside its transaction', () => {
  /** A store whose work leaves the database; the test ends it. */
  function outside(ledger: Ledger, timeoutMs: number) {
    const keys: string[] = []
    const ends: ReturnType<typeof deferred<void>>[] = []
    const store: StorePort = {
      ledger,
      sendNow: keepsClicks(async (_input, context: Context) => {
        const { click } = context
        const held = await click?.claimOutside(ledger)
        if (click === undefined || held === undefined) return
        click.failsAs = 'unknown'
        keys.push(context.idempotencyKey)
        const end = deferred<void>()
        ends.push(end)
        await end.promise
        await held.settle('succeeded')
      }),
    }
    return { ...integrate(store, timeoutMs), keys, ends }
  }

  it('has one key for all attempts, and its success is replayed', async () => {
    for (const headers of [{}, named]) {
      const { post, ends, keys } = outside(watchedLedger().ledger, 10_000)
      const first = post(sendNow, customer, headers)
      await expect.poll(() => ends.length).toBe(1)
      ends[0]?.reject(new Error('lost'))
      expect((await first).status).toBe(500)
      const second = post(sendNow, customer, headers)
      await expect.poll(() => ends.length).toBe(2)
      ends[1]?.resolve()
      expect((await second).status).toBe(200)
      const third = await post(sendNow, customer, headers)
      expect([third.status, third.headers.has('idempotency-replayed')]).toEqual([200, headers === named])
      expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    }
  })

  it('decision 20: has its lease renewed after a 504', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { post, ends } = outside(memoryLedger(), 1000)
    const first = post(sendNow, customer)
    // A macrotask of the runtime reads the body.
    while (ends.length === 0) await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(1000)
    expect((await first).status).toBe(504)
    await vi.advanceTimersByTimeAsync(60 * minute)
    // It waits for the attempt as long as it may.
    const repeat = post(sendNow, customer)
    await vi.advanceTimersByTimeAsync(1100)
    expect([(await repeat).status, ends.length]).toEqual([504, 1])
    ends[0]?.resolve()
    await vi.advanceTimersByTimeAsync(0)
    expect([(await post(sendNow, customer)).status, ends.length]).toEqual([200, 1])
  })
})
