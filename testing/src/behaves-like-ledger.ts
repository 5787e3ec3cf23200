import { type Change, type Ledger, StoreError, type StoredClicks, type StorePort } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { beans, ok, paths, postClicks } from './post-clicks.ts'

/** A clock that a test sets, in milliseconds since the epoch. */
export interface Clock {
  now: number
}

/** Opens two ledgers on the same empty storage, as two processes would. Both ledgers use the test's clock. */
export type OpenLedgers = (clock: Clock) => Promise<readonly [Ledger, Ledger]>

/** Reasons to skip tests. A test without a reason runs. */
export interface LedgerSkips {
  readonly expiry?: string
}

const hourMs = 60 * 60_000

/** Defines the tests that every ledger must pass, with any storage. */
export function behavesLikeLedger(name: string, open: OpenLedgers, skips: LedgerSkips = {}): void {
  const setUp = async () => {
    const clock = { now: 1_800_000_000_000 }
    const [one, other] = await open(clock)
    return { clock, one, other }
  }

  describe(`${name}: storage`, () => {
    it('applies 50 concurrent updates from two ledgers and returns the result of each update', async () => {
      const { one, other } = await setUp()
      const updates = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other).update('a:b', increase))
      const results = await Promise.all(updates)
      expect(results.toSorted((first, second) => first - second)).toEqual(results.map((_, index) => index + 1))
      expect(await other.update('a:b', look)).toBe(50)
    })

    it('stores nothing if the change function returns no document (decision 26)', async () => {
      const { one, other } = await setUp()
      expect(await one.update('a:b', () => ({ result: 'seen' }))).toBe('seen')
      expect(await other.update('a:b', (stored) => ({ result: stored }))).toBeUndefined()
      await one.update('a:b', increase)
      await one.update('a:b', () => ({ result: undefined, ttlMs: 0 }))
      expect(await other.update('a:b', look)).toBe(1)
    })

    it('stores a separate document for each key', async () => {
      const { one } = await setUp()
      for (const key of ['a:b', 'a:B', 'a:b2', 'b:b']) expect(await one.update(key, increase)).toBe(1)
    })

    it.skipIf(skips.expiry)(
      `expires a document according to the storage clock${skips.expiry ? `: ${skips.expiry}` : ''}`,
      async () => {
        const { clock, one, other } = await setUp()
        await one.update('a:b', (stored) => ({ ...increase(stored), ttlMs: 1000 }))
        clock.now += 999
        expect(await other.update('a:b', look)).toBe(1)
        clock.now += 1
        expect(await other.update('a:b', look)).toBe(0)
        expect(await one.update('a:b', increase)).toBe(1)
        expect(await other.update('a:b', increase)).toBe(2)
      },
    )

    it('passes the current time to the change function', async () => {
      const { clock, one } = await setUp()
      clock.now += 1234
      expect(await one.update('a:b', (_stored, now) => ({ result: now }))).toBe(clock.now)
    })

    it('returns every stored value unchanged', async () => {
      const { one, other } = await setUp()
      const document = { v: 1, text: `"quoted" \\ 'é 🫘 \n`, list: [1.5, -0.25, 2 ** 53 - 1, null, true, {}, []] }
      await one.update('a:b', () => ({ result: undefined, document, ttlMs: hourMs }))
      expect(await other.update('a:b', (stored) => ({ result: stored }))).toEqual(document)
    })

    it('stores a document of 100 clicks with 8 attempts each (decision 27)', async () => {
      const { one, other } = await setUp()
      const attempts = Array.from({ length: 8 }, () => ({
        id: crypto.randomUUID(),
        at: 1_800_000_000_000,
        leaseMs: 15_000,
      }))
      const document = { v: 1, instances: Array.from({ length: 100 }, () => ({ key: crypto.randomUUID(), attempts })) }
      await one.update('a:b', () => ({ result: undefined, document: { v: 1 }, ttlMs: hourMs }))
      await one.update('a:b', () => ({ result: undefined, document, ttlMs: hourMs }))
      expect(await other.update('a:b', (stored) => ({ result: stored }))).toEqual(document)
    })

    it('stores nothing and rejects with the error if the change function throws', async () => {
      const { one, other } = await setUp()
      await one.update('a:b', increase)
      const thrown = new StoreError('idempotency_key_reused')
      const update = async () =>
        one.update('a:b', () => {
          throw thrown
        })
      await expect(update()).rejects.toBe(thrown)
      expect(await other.update('a:b', look)).toBe(1)
    })

    it('is young for 24 hours after its start and after data loss, unless the ledger is local (decision 28)', async () => {
      const { clock, one, other } = await setUp()
      const isYoung = (ledger: Ledger) => ledger.update('a:b', (_stored, _now, young) => ({ result: young }))
      const isShared = one.isLocal !== true
      expect(await isYoung(one)).toBe(isShared)
      clock.now += 24 * hourMs - 1
      expect(await isYoung(other)).toBe(isShared)
      clock.now += 1
      expect(await isYoung(one)).toBe(false)
      await one.update('a:b', (stored) => ({ ...increase(stored), hasLostData: true }))
      expect(await isYoung(other)).toBe(isShared)
      clock.now += 24 * hourMs
      expect(await isYoung(other)).toBe(false)
    })
  })

  describe(`${name}: clicks`, () => {
    /** Simulates two processes of one shop and records the effects of their changes. */
    async function shops(changes: StorePort = {}) {
      const { clock, one, other } = await setUp()
      // Advances the clock until the ledger is no longer young.
      await one.update('a:b', look)
      clock.now += 24 * hourMs
      const effects: string[] = []
      const record = (effect: string) => async () => void effects.push(effect)
      const store = { addProduct: record('add'), undoAddProduct: record('undo'), ...changes }
      return { clock, effects, store, ledger: one, first: postClicks(one, store), second: postClicks(other, store) }
    }

    it('applies a double click once across two processes', async () => {
      const { effects, first, second } = await shops()
      expect(await Promise.all([first(), second()])).toEqual([ok, ok])
      expect(await second()).toEqual(ok)
      expect(effects).toEqual(['add'])
    })

    it('treats add, undo and add as three clicks (decision 5)', async () => {
      const { effects, first, second } = await shops()
      for (const path of [paths.add, paths.undo, paths.add, paths.add])
        expect(await (path === paths.undo ? second : first)(beans, undefined, path)).toEqual(ok)
      expect(effects).toEqual(['add', 'undo', 'add'])
    })

    it('treats a repeat after the window as a new click (decision 12)', async () => {
      const { clock, effects, first, second } = await shops()
      await first()
      clock.now += 9_999
      await second()
      expect(effects).toHaveLength(1)
      // Adds a margin, because StorePort compares the window with the time at which the request arrived.
      clock.now += 1000
      await second()
      expect(effects).toHaveLength(2)
    })

    it('replays a named click for 24 hours and rejects its key with a different body', async () => {
      const { clock, effects, first, second } = await shops()
      expect(await first(beans, 'one')).toEqual(ok)
      await second(beans, undefined, paths.undo)
      clock.now += 23 * hourMs
      expect(await second(beans, 'one')).toEqual({ ...ok, replayed: 'true' })
      expect(await second({ ...beans, quantity: 2 }, 'one')).toMatchObject({ status: 422 })
      expect(effects).toEqual(['add', 'undo'])
      clock.now += hourMs + 1000
      expect(await second(beans, 'one')).toEqual(ok)
      expect(effects).toEqual(['add', 'undo', 'add'])
    })

    it('runs a rejected click again', async () => {
      let rejects = true
      const { first, second } = await shops({
        addProduct: async () => {
          if (rejects) throw new StoreError('payment_failed')
        },
      })
      expect(await first(beans, 'one')).toMatchObject({ status: 400 })
      rejects = false
      expect(await second(beans, 'one')).toEqual(ok)
    })

    it.each(['applied', 'not_applied', 'unknown'] as const)('reconciles an unknown outcome: %s', async (found) => {
      const effects: string[] = []
      const { first, second } = await shops({
        addProduct: async (_input, { idempotencyKey }) => {
          effects.push(idempotencyKey)
          if (effects.length === 1) throw new StoreError('upstream_error')
        },
        reconcile: async () => found,
      })
      expect(await first()).toMatchObject({ status: 502 })
      const expected = found === 'unknown' ? { status: 503, retryAfter: '30' } : ok
      expect(await second()).toMatchObject(expected)
      expect(await second()).toMatchObject(expected)
      expect(effects).toHaveLength(found === 'not_applied' ? 2 : 1)
      // All attempts of a click share one idempotency key (decision 4).
      expect(new Set(effects).size).toBe(1)
    })

    it("takes over a crashed process's click after the lease ends, with the same idempotency key", async () => {
      const idempotencyKeys: string[] = []
      const { clock, ledger, store, second } = await shops({
        honoursIdempotencyKey: true,
        addProduct: async (_input, { idempotencyKey }) => void idempotencyKeys.push(idempotencyKey),
      })
      let hasCrashed = false
      const crashing: Ledger = {
        ...ledger,
        update: (...call) => {
          if (hasCrashed) throw new Error('the process has crashed')
          return ledger.update(...call)
        },
      }
      const crashed = postClicks(crashing, {
        ...store,
        addProduct: async (input, context) => {
          await store.addProduct(input, context)
          hasCrashed = true
        },
      })
      await crashed(beans, 'one')
      expect(await second(beans, 'one')).toMatchObject({ status: 409 })
      clock.now += 10_000 + 5000
      expect(await second(beans, 'one')).toEqual(ok)
      expect(await second(beans, 'one')).toEqual({ ...ok, replayed: 'true' })
      expect(idempotencyKeys).toHaveLength(2)
      expect(new Set(idempotencyKeys).size).toBe(1)
    })
  })
}

interface Count extends StoredClicks {
  readonly count: number
}

function countOf(stored: StoredClicks | undefined): number {
  return stored !== undefined && 'count' in stored ? Number(stored.count) : 0
}

/** Change function that increments the stored count and returns the new count. */
export function increase(stored: StoredClicks | undefined): Change<number> {
  const document: Count = { v: 1, count: countOf(stored) + 1 }
  return { result: document.count, document, ttlMs: hourMs }
}

/** Change function that returns the stored count and stores nothing. */
export function look(stored: StoredClicks | undefined): Change<number> {
  return { result: countOf(stored) }
}
