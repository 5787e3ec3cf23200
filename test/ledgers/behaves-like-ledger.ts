import { type ClickDocument, type Decision, type Ledger, StoreError, type StorePort } from '@storeport/core'
import { beans, ok, paths, postClicks, replayed } from '@storeport/testing/post-clicks'
import { describe, expect, it, vi } from 'vitest'

/** Sends a command of a ledger. `isWrite` means that the command can change a document. */
export type Link = <Reply>(send: () => Promise<Reply>, isWrite: boolean) => Promise<Reply>

/** An empty storage. */
export interface Storage {
  /** Opens a ledger on the storage, as another process would. */
  open(link?: Link): Ledger
  /** Replaces the stored text of a document; absent for the memory of a process. */
  readonly replace?: (key: string, text: string) => Promise<unknown>
}

interface Count extends ClickDocument {
  readonly count: number
}

const hourMs = 60 * 60_000

function countOf(stored: ClickDocument | undefined): number {
  return stored !== undefined && 'count' in stored ? Number(stored.count) : 0
}

/** Increments the stored count and returns the new count. */
export function increase(stored: ClickDocument | undefined, now: number): Decision<number> {
  const document: Count = { v: 1, count: countOf(stored) + 1 }
  return { result: document.count, document, until: now + hourMs }
}

/** Returns the stored count and stores nothing. */
export function look(stored: ClickDocument | undefined): Decision<number> {
  return { result: countOf(stored) }
}

/** Defines the tests that every ledger must pass, with any storage. */
export function behavesLikeLedger(name: string, openStorage: () => Promise<Storage>): void {
  const setUp = async () => {
    const storage = await openStorage()
    return { storage, one: storage.open(), other: storage.open() }
  }

  describe(`${name}: update`, () => {
    it('applies concurrent updates from two processes one at a time', async () => {
      const { one, other } = await setUp()
      const updates = Array.from({ length: 40 }, async (_, index) => [one, other][index % 2]?.update('a:b', increase))
      const settled = await Promise.allSettled(updates)
      const counts = settled.flatMap((each) => (each.status === 'fulfilled' ? Number(each.value) : []))
      // On a slow machine, an update can lose every race for two seconds.
      for (const each of settled)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
      expect(counts.length).toBeGreaterThan(10)
      expect(counts.toSorted((first, second) => first - second)).toEqual(counts.map((_, index) => index + 1))
      expect(await other.update('a:b', look)).toBe(counts.length)
    })

    it('stores nothing without a document, or if `decide` throws', async () => {
      const { one, other } = await setUp()
      const thrown = new StoreError('idempotency_key_reused')
      const fail = async () =>
        one.update('a:b', () => {
          throw thrown
        })
      for (const count of [0, 1]) {
        expect(await one.update('a:b', () => ({ result: 'seen', until: 0 }))).toBe('seen')
        await expect(fail()).rejects.toBe(thrown)
        expect(await other.update('a:b', look)).toBe(count)
        await one.update('a:b', increase)
      }
    })

    it('stores a separate document for each key', async () => {
      const { one } = await setUp()
      for (const key of ['a:b', 'a:B', 'a:b2', 'b:b', 'a']) expect(await one.update(key, increase)).toBe(1)
    })

    it("stores a document until `until`, by the storage's clock", async () => {
      const { one, other } = await setUp()
      const storedUntil = (ms: number) => (stored: ClickDocument | undefined, now: number) => {
        const until = now + ms
        return { ...increase(stored, now), until, result: until }
      }
      const until = await one.update('a:b', storedUntil(200))
      const longer = await one.update('a:c', storedUntil(hourMs))
      const read = (key: string) => other.update(key, (stored, now) => ({ result: { count: countOf(stored), now } }))
      let found = await read('a:b')
      for (; found.count === 1; found = await read('a:b')) expect(found.now).toBeLessThanOrEqual(until)
      expect(found.now).toBeGreaterThanOrEqual(until)
      expect(await read('a:c')).toMatchObject({ count: 1 })
      expect(longer).toBeGreaterThan(found.now)
      expect(await one.update('a:b', increase)).toBe(1)
    })

    it('returns every stored value unchanged, and a document of 100 clicks', async () => {
      const { one, other } = await setUp()
      const fields = Object.fromEntries(Array.from({ length: 12 }, () => [crypto.randomUUID(), crypto.randomUUID()]))
      const clicks = Array.from({ length: 100 }, () => fields)
      const document = { v: 1, text: `"quoted" \\ 'é 🫘 \n`, list: [1.5, 2 ** 53 - 1, null, true, {}, []], clicks }
      for (const each of [{ v: 1 }, document]) {
        await one.update('a:b', (_, now) => ({ result: undefined, document: each, until: now + hourMs }))
        expect(await other.update('a:b', (stored) => ({ result: stored }))).toEqual(each)
      }
    })
  })

  /** Opens a shop with two processes, and records the effects of its methods. */
  async function openShop(changes: StorePort = {}, link?: Link) {
    const { storage, one, other } = await setUp()
    const effects: string[] = []
    const record = (effect: string) => async () => void effects.push(effect)
    const store = { addProduct: record('add'), undoAddProduct: record('undo'), ...changes }
    const linked = storage.open(link)
    const customers = new Set<string>()
    const recording: Ledger = {
      ...one,
      update: (customer, decide) => {
        customers.add(customer)
        return one.update(customer, decide)
      },
    }
    const [first, second] = [postClicks(recording, store), postClicks(other, store)]
    return { storage, effects, customers, linked, first, second, third: postClicks(linked, store) }
  }

  describe(`${name}: clicks`, () => {
    it('makes one effect for a double click over two processes, and three for add, undo and add', async () => {
      const { effects, first, second } = await openShop()
      expect(await Promise.all([first(), second()])).toEqual(expect.arrayContaining([ok, replayed]))
      expect(effects).toEqual(['add'])
      expect(await second(beans, undefined, paths.undo)).toEqual(ok)
      expect(await first()).toEqual(ok)
      expect(await second()).toEqual(replayed)
      expect(effects).toEqual(['add', 'undo', 'add'])
    })

    it('replays a named click after another change, and rejects its key with a different body', async () => {
      const { effects, first, second } = await openShop()
      expect(await first(beans, 'one')).toEqual(ok)
      expect(await second(beans, undefined, paths.undo)).toEqual(ok)
      expect(await second(beans, 'one')).toEqual(replayed)
      expect(await second({ ...beans, quantity: 2 }, 'one')).toMatchObject({ status: 422 })
      expect(effects).toEqual(['add', 'undo'])
    })

    it('runs a rejected click again, and no click with an unknown outcome', async () => {
      const thrown = [new StoreError('payment_failed'), new StoreError('upstream_error'), undefined]
      const { first, second } = await openShop({
        addProduct: async () => {
          const error = thrown.shift()
          if (error !== undefined) throw error
        },
      })
      expect(await first()).toMatchObject({ status: 400 })
      expect(await second()).toMatchObject({ status: 502 })
      expect(await first()).toMatchObject({ status: 503, retryAfter: '30' })
      expect(thrown).toHaveLength(1)
    })
  })

  const isShared = name !== 'memory'
  describe.skipIf(!isShared)(`${name}: shared storage${isShared ? '' : ': one process has no storage to lose'}`, () => {
    it.each(['creates', 'replaces', 'expired'])(
      'decides again if another process writes an equal document first (%s)',
      async (situation) => {
        const { storage, other } = await setUp()
        const decide = vi.fn((_stored: ClickDocument | undefined, now: number) => ({
          result: undefined,
          document: { v: 1 },
          until: now + hourMs,
        }))
        if (situation === 'replaces') await other.update('a:b', decide)
        if (situation === 'expired') await other.update('a:b', (_, now) => ({ ...decide(_, now), until: now - 1 }))
        let isRaced = false
        const one = storage.open(async (send, isWrite) => {
          if (isWrite && isReady && !isRaced) {
            isRaced = true
            await other.update('a:b', decide)
          }
          return send()
        })
        let isReady = false
        await one.update('a:c', look)
        isReady = true
        decide.mockClear()
        await one.update('a:b', decide)
        expect(decide).toHaveBeenCalledTimes(3)
      },
    )

    it('sends no write without a document', async () => {
      const { storage } = await setUp()
      const sent: boolean[] = []
      const one = storage.open((send, isWrite) => {
        sent.push(isWrite)
        return send()
      })
      await one.update('a:b', look)
      sent.length = 0
      await one.update('a:b', look)
      await one.update('a:b', increase)
      await one.update('a:b', increase)
      expect(sent).toEqual([false, false, true, false, true])
    })

    it('fails with 503 for an unreadable document or an unsupported version, and runs nothing', async () => {
      const { storage, effects, customers, first, second } = await openShop()
      await first()
      const [customer = ''] = customers
      for (const text of ['', '{', '[1', 'null', '1', '{}', '{"v":1}', '{"v":3,"at":1,"clicks":[]}', '{"v":2}']) {
        await storage.replace?.(customer, text)
        for (const path of [paths.add, paths.undo])
          expect(await second(beans, undefined, path)).toMatchObject({ status: 503, retryAfter: '30' })
      }
      expect(effects).toEqual(['add'])
    })

    it('fails with 503 while the storage is away, and works afterward', async () => {
      let isAway = true
      const { effects, third, linked } = await openShop({}, (send) =>
        isAway ? Promise.reject(new Error('the storage is away')) : send(),
      )
      await expect(linked.update('a:b', increase)).rejects.toThrow('the storage is away')
      for (let turn = 0; turn < 2; turn++) {
        expect(await third()).toMatchObject({ status: 503 })
        expect(effects).toHaveLength(turn)
        isAway = false
        expect(await third(beans, `key-${turn}`)).toEqual(ok)
        isAway = true
      }
    })

    it('stores a success in the background if the storage is away after the method has run', async () => {
      let isAway = false
      const effects: string[] = []
      const { second, third } = await openShop(
        {
          addProduct: async () => {
            effects.push('add')
            isAway = true
          },
        },
        (send) => (isAway ? Promise.reject(new Error('the storage is away')) : send()),
      )
      expect(await third()).toEqual(ok)
      isAway = false
      // Waits for the outcome.
      expect(await second()).toEqual(replayed)
      expect(effects).toEqual(['add'])
    })

    it('releases a claim whose response was lost', async () => {
      let losses = 0
      const { effects, linked, second, third } = await openShop({}, async (send, isWrite) => {
        const reply = await send()
        if (isWrite && losses++ === 0) throw new Error('the response was lost')
        return reply
      })
      losses = 1
      await linked.update('a:b', look)
      losses = 0
      expect(await third()).toMatchObject({ status: 503 })
      expect(effects).toEqual([])
      // Waits for the release.
      expect(await second()).toEqual(ok)
      expect(effects).toEqual(['add'])
    })
  })
}
