import { describe, expect, it, vi } from 'vitest'
import type { ErrorCode, Reconciled, ReconcileContext, StorePort } from '@storeport/core'
import { errors, outcomeOf, StoreError } from '@storeport/core'
import { deferred } from '../support.ts'
import { declined, hour, lost, minute, never, openShop, second, type Sent } from './shop.ts'

// A request that waits for the fake clock forever fails its test.
vi.setConfig({ testTimeout: 5000 })

const named: Sent = { key: 'click-1' }
const unknown = '503 store_unavailable 30'
const busy = '503 store_unavailable 5'

it('returns the outcome of an error by its code, unless the error has an outcome', () => {
  const isUnknown = (code: ErrorCode) =>
    code !== 'store_unavailable' &&
    (errors[code].status >= 500 || ['request_timeout', 'request_in_progress'].includes(code))
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of the table are its codes
  for (const code of Object.keys(errors) as ErrorCode[]) {
    expect([code, outcomeOf(new StoreError(code))]).toEqual([code, isUnknown(code) ? 'unknown' : 'refused'])
    expect(outcomeOf(new StoreError(code, undefined, { outcome: 'unknown' }))).toBe('unknown')
  }
  expect([outcomeOf(undefined), outcomeOf(new TypeError('x'))]).toEqual(['unknown', 'unknown'])
  // A StoreError from another copy of the package.
  expect(outcomeOf(Object.assign(new Error('x'), { name: 'StoreError', code: 'payment_failed' }))).toBe('refused')
})

it('runs a click with an unknown outcome again, with the same key, for as long as the store honours it', async () => {
  for (const honoursIdempotencyKey of [true, { forMs: minute }]) {
    const { startProcess, wait, keys } = openShop([lost, lost, lost])
    const post = startProcess({ honoursIdempotencyKey })
    for (const name of ['add', 'undo'] as const) await post(name)
    await wait(minute - 1)
    expect([await post('add'), keys[2]]).toEqual(['500 internal_error', keys[0]])
    await wait(1)
    expect([await post('undo'), keys.length]).toEqual(honoursIdempotencyKey === true ? ['200', 4] : [unknown, 3])
  }
})

it('keeps the key after store_unavailable if the store honours it, because the platform may have been called', async () => {
  const isUnavailable = async () => {
    throw new StoreError('store_unavailable')
  }
  for (const honoursIdempotencyKey of [true, false]) {
    const { startProcess, keys } = openShop([isUnavailable])
    const post = startProcess({ honoursIdempotencyKey })
    expect([await post('add'), await post('add')]).toEqual(['503 store_unavailable 5', '200'])
    expect(keys[0] === keys[1]).toBe(honoursIdempotencyKey)
  }
})

describe('reconcile', () => {
  /** Opens a shop whose first change has an unknown outcome. `found` contains the calls of `reconcile`. */
  async function openLossy(reconcile: () => Promise<Reconciled>, first: Sent = {}) {
    const shop = openShop([lost])
    const found: [method: string, email: string, context: ReconcileContext][] = []
    const store: StorePort = {
      reconcile: (method, input, context) => (found.push([method, input.email, context]), reconcile()),
    }
    const post = shop.startProcess(store)
    expect(await post('add', first)).toBe('500 internal_error')
    return { ...shop, post, found, lossy: store }
  }

  it.each<[string, () => Promise<Reconciled>, string, number]>([
    ['applied', async () => 'applied', '200 replayed', 1],
    ['not_applied', async () => 'not_applied', '200', 2],
    ['unknown', async () => 'unknown', unknown, 1],
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a store without types returns anything
    ['an invalid value', async () => 'yes' as Reconciled, unknown, 1],
    ['an error', declined, unknown, 1],
    // oxlint-disable-next-line typescript/consistent-type-assertions -- never returns
    ['no response before half of timeoutMs', never as () => Promise<never>, unknown, 1],
  ])('decides a click with an unknown outcome: %s', async (_what, reconcile, expected, runs) => {
    const { post, wait, keys } = await openLossy(reconcile)
    for (const response of [expected, expected === unknown ? unknown : '200 replayed']) {
      const repeat = post('add')
      await wait(5 * second)
      expect(await Promise.race([repeat, Promise.resolve('still running')])).toBe(response)
    }
    expect([keys.length, new Set(keys).size]).toEqual([runs, 1])
  })

  it.each([{}, named])('receives the key, the input, the identity and the times of the attempts: %j', async (sent) => {
    const { post, wait, keys, found } = await openLossy(async () => 'unknown', sent)
    const firstAttemptAt = Date.now()
    for (let attempts = 0; attempts < 2; attempts++) {
      await wait(minute)
      await post('add', sent)
    }
    const isNamed = sent === named
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/)
    const clickIdentity = { named: isNamed, fingerprint, windowMs: isNamed ? 24 * hour : 10 * second }
    const requestId = expect.any(String)
    const facts = { idempotencyKey: keys[0], clickIdentity, testMode: false, requestId, firstAttemptAt }
    expect(found).toEqual(
      [firstAttemptAt, firstAttemptAt + minute].map((lastAttemptAt) => [
        ...['addProduct', 'a@b.example'],
        expect.objectContaining({ ...facts, lastAttemptAt }),
      ]),
    )
  })

  it('does not run the click if its lease cannot be renewed', async () => {
    const { post, ledger, calls } = await openLossy(async () => {
      ledger.intercept = () => Promise.reject(new Error('away'))
      return 'not_applied'
    })
    expect([await post('add'), calls.length]).toEqual([busy, 1])
  })

  it('does not run the click if an earlier attempt has succeeded in the meantime', async () => {
    const first = deferred<void>()
    const reconcile = async () => {
      first.resolve()
      expect(await running).toBe('200')
      return 'not_applied' as const
    }
    const { startProcess, wait, calls } = openShop([() => first.promise], { reconcile })
    const running = startProcess()('add')
    await wait(0)
    // The first process is paused: its lease ends, and its timers do not run.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 15 * second)
    expect([await startProcess()('add'), calls.length]).toEqual(['200 replayed', 1])
  })
})

describe('attempt that continues after 504', () => {
  /** Opens a shop whose first change runs until the test ends it, and waits for its 504. */
  async function openLate(changes: StorePort = {}, sent: Sent = {}) {
    const end = deferred<void>()
    const shop = openShop([() => end.promise])
    const post = shop.startProcess({ ...changes })
    const first = post('add', sent)
    await shop.wait(10 * second)
    expect(await first).toBe('504 store_timeout')
    return { ...shop, post, end }
  }

  it('is replayed for 10 minutes after its success, and for the normal window after the first replay', async () => {
    const { end, wait, post, calls } = await openLate()
    end.resolve()
    for (const pause of [9 * minute, 9 * second]) {
      await wait(pause)
      expect(await post('add')).toBe('200 replayed')
    }
    await wait(1 * second)
    expect([await post('add'), calls.length]).toEqual(['200', 2])
  })

  it.each([10, 30])('blocks changes for 60 s, then has an unknown outcome (timeoutMs: %s s)', async (seconds) => {
    const timeoutMs = seconds * second
    const { startProcess, wait, calls } = openShop([never])
    const post = startProcess({}, { timeoutMs })
    const first = post('add')
    await wait(timeoutMs)
    expect(await first).toBe('504 store_timeout')
    for (let waited = 0; waited < minute - timeoutMs / 2; waited += timeoutMs / 2) {
      const responses = [post('add'), post('send')]
      await wait(timeoutMs / 2)
      expect(await Promise.all(responses)).toEqual([busy, busy])
    }
    await wait(timeoutMs / 2)
    expect([await post('add'), await post('send'), calls.length]).toEqual([unknown, '200', 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, number, (end: ReturnType<typeof deferred<void>>) => void, string]>([
    ['is replayed after a success after more than 60 s', 2 * minute, ({ resolve }) => resolve(), '200 replayed'],
    ['runs again after a rejection', 0, ({ reject }) => reject(new StoreError('payment_failed')), '200'],
    ['has an unknown outcome after another error', 0, ({ reject }) => reject(new Error('lost')), unknown],
  ])('%s', async (_what, pause, settle, expected) => {
    const { end, wait, post } = await openLate()
    await wait(pause)
    settle(end)
    await wait(0)
    expect(await post('add')).toBe(expected)
  })
})

it('stores the success for 10 minutes if the caller has disconnected', async () => {
  for (const reconcile of [undefined, async () => 'applied' as const]) {
    const { startProcess, wait, calls } = openShop(reconcile === undefined ? [] : [lost])
    const post = startProcess(reconcile === undefined ? {} : { reconcile })
    if (reconcile !== undefined) await post('add')
    await post('add', { hasLeft: () => true })
    await wait(9 * minute)
    expect([await post('add'), calls.length]).toEqual(['200 replayed', 1])
  }
})

describe('ledger fault', () => {
  const fail = () => {
    throw new Error('lost')
  }
  const faults: readonly [string, () => Promise<unknown>][] = [
    ['rejects', () => Promise.reject(new Error('lost'))],
    ['rejects with an unrelated StoreError', () => Promise.reject(new StoreError('payment_failed'))],
    ['never responds', never],
    ['throws', fail],
  ]

  it.each(faults)('returns 503 before the method and 200 after its success if the ledger %s', async (_what, fault) => {
    const { post, ledger, wait, calls, errors: reported } = openShop([() => void (ledger.intercept = fault)])
    ledger.intercept = fault
    const before = post('send')
    await wait(2 * second)
    expect([await before, calls.length, reported.length]).toEqual([busy, 0, 1])
    ledger.intercept = () => undefined
    await wait(second)
    const after = post('send')
    await wait(2 * second)
    expect([await after, reported.length]).toEqual(['200', 2])
    // The success is stored in the background.
    await wait(25 * second)
    ledger.intercept = () => undefined
    await wait(20 * second)
    expect([await post('send'), calls.length, vi.getTimerCount()]).toEqual(['200 replayed', 1, 0])
  })

  it('stores at most 1,000 outcomes in the background, for at most 40 s', async () => {
    const { post, ledger, wait } = openShop()
    ledger.intercept = () => Promise.reject(new Error('away'))
    await post('send')
    await wait(40 * second)
    expect(vi.getTimerCount()).toBe(0)
    for (let count = 0; count < 1010; count++) await post('send', { email: `a${count}@b.example` })
    ledger.updates = 0
    ledger.intercept = never
    await wait(100)
    expect(ledger.updates).toBe(1000)
    // These outcomes still count while the ledger does not respond.
    ledger.intercept = () => Promise.reject(new Error('away'))
    await post('send')
    await wait(100)
    expect(ledger.updates).toBe(1001)
  }, 60_000)

  it.each([300, 10_000])('writes no claim that a stalled ledger decides late (timeoutMs: %s)', async (timeoutMs) => {
    const { startProcess, ledger, wait } = openShop()
    const post = startProcess({}, { timeoutMs })
    const stall = deferred<void>()
    ledger.intercept = (proceed) => {
      ledger.intercept = () => undefined
      return stall.promise.then(proceed)
    }
    const response = post('send')
    await wait(Math.min(2000, timeoutMs))
    expect(await response).toBe(busy)
    await wait(150)
    stall.resolve()
    await wait(0)
    expect(await post('send')).toBe('200')
  })
})
