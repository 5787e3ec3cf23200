import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Context, storesClicks, StoreError, PendingClick, type StorePort } from '@storeport/core'
import { deferred, type send } from '../support.ts'
import { beans, customer, hour, integrate, minute, named, paths, watchLedger } from './shop.ts'

const timeoutMs = 1000
const leaseMs = timeoutMs + 5000

/** Creates a shop with fake timers. Each call of addProduct runs until the test settles its entry in `ends`. */
function timedShop(changes: StorePort = {}, limitMs = timeoutMs) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends: ReturnType<typeof deferred<void>>[] = []
  const addProduct = () => {
    const end = deferred<void>()
    ends.push(end)
    return end.promise
  }
  const { ledger, reach, seen } = watchLedger({ now: () => performance.now() })
  const { post } = integrate({ ledger, addProduct, undoAddProduct: async () => {}, ...changes }, { timeoutMs: limitMs })
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  /** Sends a request and waits until the request has read the ledger. */
  const begin = async (headers = {}) => {
    const reached = reach(seen.updates + 1)
    const response = post(paths.add, beans, headers)
    await reached
    await wait(0)
    return { response }
  }
  return { ends, begin, wait, post }
}

const resultOf = async ({ response }: { response: ReturnType<typeof send> }) => {
  const { status, json, headers } = await response
  return [status, json.error?.code, headers.get('retry-after')]
}
const success = [200, undefined, null]
const late = [503, 'store_unavailable', '5']

describe('request that waits for another attempt (decision 19)', () => {
  it.each([
    ['runs the click if at least half of its time limit remains', -10, success],
    ['fails with 503 and releases the click if less than half of its time limit remains', 10, late],
  ])('%s', async (_, beyond, expected) => {
    const { begin, ends, wait } = timedShop()
    const [first, repeat] = [await begin(), await begin()]
    await wait(timeoutMs / 2 + beyond)
    ends[0]?.reject(new StoreError('payment_failed'))
    expect(await resultOf(first)).toEqual([400, 'payment_failed', null])
    await wait(0)
    const next = expected === late ? await begin() : repeat
    ends[1]?.resolve()
    expect([await resultOf(repeat), await resultOf(next), ends.length]).toEqual([expected, success, 2])
  })

  it('waits for at most timeoutMs after the request has arrived', async () => {
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
})

it('limits reconcile to half of timeoutMs (decision 18)', async () => {
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

describe('attempt that continues after a 504 (decision 20)', () => {
  it('renews its lease until it ends, so that no repeat runs', async () => {
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
    expect([await resultOf(await begin()), ends.length]).toEqual([success, 1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([10_000, 30_000])('renews its lease before it ends if the time limit is %s ms', async (limitMs) => {
    const { begin, ends, wait, post } = timedShop({ honoursIdempotencyKey: true }, limitMs)
    const first = await begin()
    await wait(limitMs)
    expect(await resultOf(first)).toEqual([504, 'store_timeout', null])
    // The lease of the claim ends 5 s after the time limit.
    await wait(5001)
    const repeat = { response: post(paths.add, beans) }
    await wait(limitMs)
    expect(await resultOf(repeat)).toEqual(late)
    expect(ends).toHaveLength(1)
  })

  it("renews the lease in the customer's document as well if the click is named", async () => {
    const { begin, wait, post } = timedShop()
    await post(paths.undo, beans)
    await begin(named)
    await wait(timeoutMs + leaseMs)
    expect(await resultOf({ response: post(paths.undo, beans) })).toEqual(late)
  })

  it('renews its lease for at most 24 hours', async () => {
    const { begin, ends, wait } = timedShop()
    await begin()
    await wait(24 * hour + 2 * leaseMs)
    const repeat = await begin()
    ends[1]?.resolve()
    expect([await resultOf(repeat), ends.length]).toEqual([success, 2])
  })
})

describe('outcome after a 504', () => {
  it.each([
    ['allows a repeat if the attempt is rejected', new StoreError('payment_failed'), [200, undefined, null]],
    ['is unknown if the attempt fails with another error', new Error('lost'), [503, 'store_unavailable', '3600']],
  ])('%s', async (_, error, expected) => {
    const { begin, ends, wait } = timedShop()
    const first = await begin()
    await wait(timeoutMs)
    expect(await resultOf(first)).toEqual([504, 'store_timeout', null])
    ends[0]?.reject(error)
    await wait(0)
    const repeat = await begin()
    ends[1]?.resolve()
    expect(await resultOf(repeat)).toEqual(expected)
  })

  it('is stored for 10 minutes after a success, and for the normal window after the first replay (decision 12)', async () => {
    const { begin, ends, wait } = timedShop()
    await begin()
    await wait(timeoutMs)
    ends[0]?.resolve()
    for (const pause of [9 * minute, 9000]) {
      await wait(pause)
      expect([await resultOf(await begin()), ends.length]).toEqual([success, 1])
    }
    await wait(2000)
    const next = await begin()
    ends[1]?.resolve()
    expect([await resultOf(next), ends.length]).toEqual([success, 2])
  })

  it('is unavailable to repeats while the lease of a claim outside the transaction is renewed (decision 34)', async () => {
    const { ledger } = watchLedger({ now: () => performance.now() })
    const mayEnd = deferred<void>()
    const runs: string[] = []
    const sendNow: StorePort['sendNow'] = storesClicks(async (_input, { click }: Context) => {
      const held = click instanceof PendingClick ? await click.claimOutside(ledger) : undefined
      if (held === undefined) return
      runs.push('claimed')
      await mayEnd.promise
      await held.settle('succeeded')
    })
    const { wait, post } = timedShop({ ledger, sendNow })
    const first = post(paths.sendNow, customer)
    // Waits for the method to start, because the runtime reads the request body in a macrotask.
    while (runs.length === 0) await wait(0)
    await wait(timeoutMs)
    expect((await first).status).toBe(504)
    await wait(hour)
    // The repeat waits for the attempt until its time limit.
    const repeat = post(paths.sendNow, customer)
    await wait(timeoutMs + 100)
    expect([(await repeat).status, runs.length]).toEqual([504, 1])
    mayEnd.resolve()
    await wait(0)
    expect([(await post(paths.sendNow, customer)).status, runs.length]).toEqual([200, 1])
  })
})
