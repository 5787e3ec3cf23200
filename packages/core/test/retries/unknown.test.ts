import { describe, expect, it } from 'vitest'
import {
  type Context,
  outcomeOf,
  type Reconciled,
  type ReconcileContext,
  StoreError,
  type StorePort,
} from '@storeport/core'
import { deferred } from '../support.ts'
import { beans, hour, integrate, leavingRequest, minute, named, paths, watchLedger } from './shop.ts'

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
  ] as const)('returns the default outcome for %s (%s) unless the error sets an outcome', (code, outcome) => {
    const other = outcome === 'refused' ? 'unknown' : 'refused'
    expect(outcomeOf(new StoreError(code))).toBe(outcome)
    expect(outcomeOf(new StoreError(code, undefined, { outcome: other }))).toBe(other)
  })

  it('returns unknown for other thrown values, and recognizes a StoreError from another copy of the package', () => {
    expect(outcomeOf(new TypeError('x'))).toBe('unknown')
    expect(outcomeOf(undefined)).toBe('unknown')
    expect(outcomeOf(Object.assign(new Error('x'), { name: 'StoreError', code: 'payment_failed' }))).toBe('refused')
  })
})

/** Creates a shop with a `reconcile` method. The first call of addProduct makes its change and then fails. */
function lossy(reconcile: (key: string) => Promise<Reconciled>, timeoutMs?: number) {
  const { clock, ledger } = watchLedger()
  const runs: string[] = []
  const calls: [method: string, email: string, context: ReconcileContext][] = []
  const store: StorePort = {
    ledger,
    addProduct: async (_, { idempotencyKey }) => {
      runs.push(idempotencyKey)
      if (runs.length === 1) throw new Error('lost')
    },
    undoAddProduct: async () => {},
    reconcile: (method, input, context) => {
      calls.push([method, input.email, context])
      return reconcile(context.idempotencyKey)
    },
  }
  return { clock, runs, calls, store, ...integrate(store, { timeoutMs }) }
}

describe('reconcile', () => {
  it('stores the success of an earlier attempt for 10 minutes if the caller has disconnected (decision 12)', async () => {
    const leaving = new AbortController()
    const { post, integration, runs, clock } = lossy(async () => {
      leaving.abort()
      return 'applied'
    })
    await post(paths.add, beans)
    await integration.fetch(leavingRequest(leaving.signal))
    clock.now += 9 * minute
    expect((await post(paths.add, beans)).status).toBe(200)
    expect(runs).toHaveLength(1)
  })

  it.each([
    ['an unnamed', {}],
    ['a named', named],
  ])(
    'receives the key, the input, the identity and the attempt times for %s click (decision 17)',
    async (_, headers) => {
      const { post, runs, calls, clock } = lossy(async () => 'unknown')
      const before = Date.now()
      await post(paths.add, beans, headers)
      clock.now += minute
      await post(paths.add, beans, headers)
      const isNamed = headers === named
      expect(calls).toEqual([
        [
          'addProduct',
          'a@b.example',
          expect.objectContaining({
            idempotencyKey: runs[0],
            clickIdentity: {
              named: isNamed,
              fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
              windowMs: isNamed ? 24 * hour : 10_000,
            },
            ledgerIsYoung: false,
            testMode: false,
            requestId: expect.any(String),
          }),
        ],
      ])
      const [{ firstAttemptAt = 0, lastAttemptAt }] = [calls[0]?.[2] ?? {}]
      expect(firstAttemptAt).toBe(lastAttemptAt)
      // The clock of the ledger has advanced by a minute, but the clock of this process has not.
      expect(Math.abs(firstAttemptAt + minute - before)).toBeLessThan(minute / 2)
    },
  )

  it.each<[string, () => Promise<Reconciled>, number]>([
    ['returns unknown', async () => 'unknown', 10_000],
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a store without types returns anything
    ['returns an invalid value', async () => 'yes' as Reconciled, 10_000],
    ['throws', () => Promise.reject(new StoreError('payment_failed')), 10_000],
    ['never settles', () => new Promise(() => {}), 300],
  ])('results in 503 and Retry-After 30 for each retry if it %s (decision 14)', async (_, reconcile, timeoutMs) => {
    const { post, runs } = lossy(reconcile, timeoutMs)
    await post(paths.add, beans)
    for (let attempts = 0; attempts < 2; attempts++) {
      const { status, json, headers } = await post(paths.add, beans)
      expect([status, json.error?.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '30'])
    }
    expect(runs).toHaveLength(1)
  })

  it('does not start a retry if an earlier attempt succeeds before reconcile returns not_applied (decision 18)', async () => {
    const { ledger, clock } = watchLedger()
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
    const running = integrate(store).post(paths.add, beans)
    await expect.poll(() => runs).toBe(1)
    clock.now += 15_000
    // A second integration acts as another process, which does not wait for the attempt.
    expect((await integrate(store).post(paths.add, beans)).status).toBe(200)
    expect([(await running).status, runs]).toEqual([200, 1])
  })

  it("settles a named click's entry in the customer's document (decision 24)", async () => {
    const { store, post, runs } = lossy(async () => 'applied')
    expect((await post(paths.undo, beans)).status).toBe(200)
    expect((await post(paths.add, beans, named)).status).toBe(500)
    expect((await post(paths.undo, beans)).status).toBe(503)
    expect((await post(paths.add, beans, named)).headers.get('idempotency-replayed')).toBe('true')
    expect(runs).toHaveLength(1)
    let undone = 0
    const counting = integrate({ ...store, undoAddProduct: async () => void (undone += 1) })
    expect((await counting.post(paths.undo, beans)).status).toBe(200)
    expect(undone).toBe(1)
  })
})

describe('click with an unknown outcome in a store without reconcile', () => {
  /** Creates a store whose first attempt for each key makes its change and then fails. */
  function forgetful(honoursIdempotencyKey: NonNullable<StorePort['honoursIdempotencyKey']> = false) {
    const { clock, ledger } = watchLedger()
    const keys: string[] = []
    const change = async (_: unknown, { idempotencyKey }: Context) => {
      keys.push(idempotencyKey)
      if (keys.indexOf(idempotencyKey) === keys.length - 1) throw new Error('lost the connection after the commit')
    }
    const store: StorePort = {
      ledger,
      honoursIdempotencyKey,
      addProduct: change,
      undoAddProduct: change,
      sendNow: change,
      delaySubscription: change,
      swapProduct: change,
      reactivateSubscription: change,
      runCustomAction: change,
    }
    return { clock, keys, ...integrate(store) }
  }

  it('runs again only for as long as the store honors the idempotency key (decision 15)', async () => {
    const { post, clock, keys } = forgetful({ forMs: minute })
    for (const path of [paths.add, paths.undo]) await post(path, beans)
    clock.now += minute - 1
    expect((await post(paths.add, beans)).status).toBe(200)
    expect(keys[2]).toBe(keys[0])
    clock.now += 1
    const retried = await post(paths.undo, beans)
    expect([retried.status, retried.headers.get('retry-after'), keys.length]).toEqual([503, '3600', 3])
  })

  it.each([
    [paths.add, { product_id: 'beans' }],
    [paths.undo, { product_id: 'beans' }],
    [paths.sendNow, {}],
    ['/integration/customer-portal/swap-product', { current_item_id: 'item_1', new_product_id: 'p1' }],
    ['/integration/custom-action', { action_id: 'a1' }],
  ])('fails with 503 and a Retry-After of at most one hour: %s (decision 14)', async (path, input) => {
    const { post, clock, keys } = forgetful()
    const body = { email: 'a@b.example', ...input }
    expect((await post(path, body)).status).toBe(500)
    const { status, json, headers } = await post(path, body)
    expect([status, json.error?.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '3600'])
    clock.now += 24 * hour - 4000
    expect((await post(path, body)).headers.get('retry-after')).toBe('4')
    expect(keys).toHaveLength(1)
    clock.now += 4000
    await post(path, body)
    expect(keys).toHaveLength(2)
  })

  it.each([
    ['/integration/customer-portal/delay', { new_date: '2030-01-01' }],
    ['/integration/reactivate/subscription', { subscription_id: 'sub_1' }],
  ])('runs again if a repeat of the operation has no further effect: %s (decision 14)', async (path, input) => {
    const { post, keys } = forgetful()
    const body = { email: 'a@b.example', ...input }
    for (const status of [500, 200]) expect((await post(path, body)).status).toBe(status)
    expect(keys).toEqual([keys[0], keys[0]])
  })
})
