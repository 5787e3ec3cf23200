import { describe, expect, it } from 'vitest'
import {
  type Click,
  type Context,
  keepsClicks,
  type Ledger,
  memoryLedger,
  type Outcome,
  outcomeOf,
  type PendingClick,
  type Reconciled,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { deferred, integrationOf, send } from './support.ts'

const sendNow = '/integration/customer-portal/send-now'
const add = '/integration/upsells/add-product'
const customer = { email: 'a@b.example' }

/** A ledger in memory whose clock the test turns, which lets the test know each settling. */
function watchedLedger() {
  const clock = { now: 0 }
  const settled: (readonly [outcome: Outcome, doneMs: number, msAgo: number | undefined])[] = []
  const kept = memoryLedger({ now: () => clock.now })
  const ledger: Ledger = {
    claim: (click, retryUnknown) => kept.claim(click, retryUnknown),
    settle: (click, outcome, msAgo) => {
      settled.push([outcome, click.doneMs, msAgo])
      return kept.settle(click, outcome, msAgo)
    },
  }
  return { clock, settled, ledger }
}

function integrate(store: StorePort, timeoutMs = 10_000) {
  const errors: unknown[] = []
  const integration = integrationOf(store, { onError: (error) => errors.push(error), timeoutMs })
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  return { post, errors }
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
  ] as const)('takes %s for %s unless the error says otherwise', (code, outcome) => {
    const other = outcome === 'refused' ? 'unknown' : 'refused'
    expect(outcomeOf(new StoreError(code))).toBe(outcome)
    expect(outcomeOf(new StoreError(code, undefined, { outcome: other }))).toBe(other)
  })

  it('takes everything else that is thrown for unknown, and an error of another copy of this package for what it is', () => {
    expect(outcomeOf(new TypeError('x'))).toBe('unknown')
    expect(outcomeOf(undefined)).toBe('unknown')
    expect(outcomeOf(Object.assign(new Error('x'), { name: 'StoreError', code: 'payment_failed' }))).toBe('refused')
  })
})

describe('a retry of a call that ended unknown', () => {
  /** A shop system that loses its first answer, and is asked how that call ended. */
  function lossy(reconcile: (key: string) => Promise<Reconciled>, then: () => Promise<void> = async () => {}) {
    const { clock, settled, ledger } = watchedLedger()
    const runs: string[] = []
    const asked: string[] = []
    const store: StorePort = {
      ledger,
      sendNow: async (_, { idempotencyKey }) => {
        runs.push(idempotencyKey)
        if (runs.length === 1) throw new Error('the answer was lost')
        await then()
      },
      reconcile: (name, input, context) => {
        asked.push(`${name} ${input.email} ${context.idempotencyKey}`)
        return reconcile(context.idempotencyKey)
      },
    }
    return { clock, settled, runs, asked, store }
  }

  it('is answered as the success that the store finds, kept as of the first try', async () => {
    const { store, runs, asked, settled, clock } = lossy(async () => 'applied')
    const { post } = integrate(store)
    expect((await post(sendNow, customer)).status).toBe(500)
    clock.now += 60_000
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
    expect(asked).toEqual([`sendNow a@b.example ${runs[0]}`])
    expect(settled.map(([outcome, , msAgo]) => [outcome, msAgo])).toEqual([
      ['unknown', 0],
      ['done', 60_000],
    ])
  })

  it('runs under the key of the first try when the store knows that it was not applied, and can then be refused', async () => {
    const { store, runs, settled } = lossy(
      async () => 'not_applied',
      async () => {
        throw new StoreError('payment_failed')
      },
    )
    const { post } = integrate(store)
    await post(sendNow, customer)
    expect((await post(sendNow, customer)).status).toBe(400)
    expect(runs).toEqual([runs[0], runs[0]])
    expect(settled.map(([outcome]) => outcome)).toEqual(['unknown', 'refused'])
  })

  it.each<[string, () => Promise<Reconciled>]>([
    ['does not know', async () => 'unknown'],
    ['throws', () => Promise.reject(new StoreError('payment_failed'))],
    ['hangs', () => new Promise(() => {})],
  ])(
    'waits when the store %s',
    async (_, reconcile) => {
      const { store, runs } = lossy(reconcile)
      const { post } = integrate(store, 20)
      await post(sendNow, customer)
      for (let tries = 0; tries < 2; tries++) {
        const retried = await post(sendNow, customer)
        expect([retried.status, retried.json.error?.code, retried.headers.has('retry-after')]).toEqual([
          503,
          'store_unavailable',
          true,
        ])
      }
      expect(runs).toHaveLength(1)
    },
    30_000,
  )

  it('stays unknown for 24 hours, however often it is tried again', async () => {
    const { store, runs, clock } = lossy(async () => 'unknown')
    const { post } = integrate(store)
    await post(sendNow, customer)
    clock.now += 86_399_999
    expect((await post(sendNow, customer)).status).toBe(503)
    clock.now += 1
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(2)
  })

  it('is never settled as refused without the word of the store, even when it is refused', async () => {
    const { settled, ledger } = watchedLedger()
    const ends = [new Error('lost'), new StoreError('order_already_processing'), undefined]
    const { post } = integrate({
      ledger,
      honoursIdempotencyKey: true,
      sendNow: async () => {
        const end = ends.shift()
        if (end !== undefined) throw end
      },
    })
    for (const status of [500, 400, 200]) expect((await post(sendNow, customer)).status).toBe(status)
    expect(settled.map(([outcome]) => outcome)).toEqual(['unknown', 'unknown', 'done'])
  })
})

describe('a call that ends after its answer', () => {
  it('settles its click then, which is remembered for 10 minutes', async () => {
    const { settled, ledger } = watchedLedger()
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({ ledger, addProduct: () => ((runs += 1), ending.promise) }, 20)
    const body = { ...customer, product_id: 'beans' }
    expect((await post(add, body)).status).toBe(504)
    expect(settled).toEqual([])
    ending.resolve()
    await expect.poll(() => settled).toEqual([['done', 600_000, 0]])
    expect((await post(add, body)).status).toBe(200)
    expect(runs).toBe(1)
  })

  it('can be repeated when it was refused after all', async () => {
    const { settled, ledger } = watchedLedger()
    const ending = deferred<void>()
    let runs = 0
    const { post } = integrate({ ledger, sendNow: () => (++runs === 1 ? ending.promise : Promise.resolve()) }, 20)
    expect((await post(sendNow, customer)).status).toBe(504)
    ending.reject(new StoreError('payment_failed'))
    await expect.poll(() => settled.map(([outcome]) => outcome)).toEqual(['refused'])
    expect((await post(sendNow, customer)).status).toBe(200)
  })

  it('is remembered for 10 minutes when its caller has left', async () => {
    const { settled, ledger } = watchedLedger()
    const leaving = new AbortController()
    const integration = integrationOf({ ledger, addProduct: async () => leaving.abort() })
    const request = new Request('https://shop.example/integration/upsells/add-product', {
      method: 'POST',
      headers: { 'x-integration-api-key': 'a-key-of-the-tests-0001', 'content-type': 'application/json' },
      body: JSON.stringify({ ...customer, product_id: 'beans' }),
      signal: leaving.signal,
    })
    await integration.fetch(request)
    expect(settled).toEqual([['done', 600_000, 0]])
  })
})

describe('a ledger', () => {
  const failing = (changes: Partial<Ledger>) => {
    const kept = memoryLedger()
    const ledger: Ledger = {
      claim: (click, retryUnknown) => kept.claim(click, retryUnknown),
      settle: (click, outcome, msAgo) => kept.settle(click, outcome, msAgo),
      ...changes,
    }
    const runs: string[] = []
    const store: StorePort = { ledger, sendNow: async () => void runs.push('send') }
    return { ledger, kept, runs, store }
  }

  it.each<[string, Ledger['claim']]>([
    ['fails', () => Promise.reject(new Error('ECONNREFUSED'))],
    [
      'throws',
      () => {
        throw new Error('closed')
      },
    ],
    ['hangs', () => new Promise(() => {})],
  ])('that %s is 503 before the store is touched', async (_, claim) => {
    const { store, runs } = failing({ claim })
    const { post } = integrate(store, 20)
    expect((await post(sendNow, customer)).json.error?.code).toBe('store_unavailable')
    expect(runs).toEqual([])
  })

  it('that answers a claim too late has the click let go', async () => {
    const answer = deferred<void>()
    const { store, runs, kept } = failing({
      claim: async (click, retryUnknown) => {
        if (runs.length === 0) await answer.promise
        return kept.claim(click, retryUnknown)
      },
    })
    const { post } = integrate(store, 20)
    expect((await post(sendNow, customer)).status).toBe(503)
    answer.resolve()
    await expect.poll(async () => (await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('that cannot settle does not take a success back, and is asked again', async () => {
    let failures = 1
    const { store, runs, kept } = failing({
      settle: async (click, outcome, msAgo) => {
        if (failures-- > 0) throw new Error('disk full')
        return kept.settle(click, outcome, msAgo)
      },
    })
    const { post, errors } = integrate(store)
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(errors.map(String)).toEqual(['Error: disk full'])
    // The repeat waits while the click counts as running, and then gets the answer of the first.
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it('of the store is the one that is used; another one beside it is refused', () => {
    const { store } = failing({})
    expect(() => integrationOf(store, { retries: { ledger: memoryLedger() } })).toThrow(/retries\.ledger/)
    expect(() => integrationOf(store, { retries: { ledger: store.ledger } })).not.toThrow()
  })
})

describe('a method that keeps its clicks', () => {
  function keeping() {
    const clicks: PendingClick[] = []
    const kept = new Set<string>()
    const asked: Click[] = []
    const store: StorePort = {
      ledger: { claim: (click) => (asked.push(click), { state: 'done' }), settle: () => {} },
      sendNow: keepsClicks(async (_input, { click }: Context) => {
        if (click === undefined) return 'ran'
        clicks.push(click)
        if (kept.has(click.id)) return 'replayed'
        kept.add(click.id)
        return 'ran'
      }),
    }
    return { clicks, asked, store }
  }

  it('gets the click, and says itself whether it was a replay; no ledger is asked', async () => {
    const { store, clicks, asked } = keeping()
    const { post } = integrate(store)
    const named = { 'idempotency-key': 'click-1' }
    const first = await post(sendNow, customer, named)
    const again = await post(sendNow, customer, named)
    expect([first, again].map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, 'true'],
    ])
    expect(clicks).toHaveLength(2)
    expect(clicks.map(({ named: isNamed }) => isNamed)).toEqual([true, true])
    expect(asked).toEqual([])
  })

  it('is told until when a commit is in time, and for how long the click is remembered', async () => {
    const { store, clicks } = keeping()
    const before = performance.now()
    await integrate(store).post(sendNow, customer)
    const [click] = clicks
    expect(click?.commitBy).toBeGreaterThan(before + 7999)
    expect(click?.commitBy).toBeLessThan(performance.now() + 8000)
    expect(click?.remembersMs()).toBe(600_000)
  })

  it('keeps its mark in a store that is made of it, and works without an integration', async () => {
    const { store, asked } = keeping()
    const { post } = integrate({ ...store })
    expect((await post(sendNow, customer)).status).toBe(200)
    expect(asked).toEqual([])
    const context = { requestId: 'r', idempotencyKey: 'k', testMode: false, signal: new AbortController().signal }
    expect(await store.sendNow?.(customer, context)).toBeUndefined()
  })
})
