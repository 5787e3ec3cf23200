import { type ClickDocument, type Decision, type Ledger, StoreError } from '@storeport/core'
import { beans, postClicks } from '@storeport/testing/post-clicks'
import { describe, expect, it, vi } from 'vitest'

/** Sends a command of a ledger. `isWrite` means that the command can change a document. */
export type Link = <Reply>(send: () => Promise<Reply>, isWrite: boolean) => Promise<Reply>

/** An empty storage. */
export interface Storage {
  /** Opens a ledger on the storage, as another process would. */
  open(link?: Link): Ledger
  /** Replaces the text of all documents; absent for the memory of a process. */
  readonly replaceAll?: (text: string) => Promise<unknown>
}

const hourMs = 60 * 60_000

/** Increments the stored count and returns the new count. */
function increase(stored: ClickDocument | undefined, now: number): Decision<number> {
  const count = look(stored).result + 1
  return { result: count, document: Object({ v: 1, count }), until: now + hourMs }
}

/** Returns the stored count and stores nothing. */
function look(stored: ClickDocument | undefined): Decision<number> {
  return { result: Object(stored).count ?? 0 }
}

/** Defines the tests that every ledger must pass, with any storage (rule 17). */
export function behavesLikeLedger(name: string, openStorage: () => Promise<Storage>): void {
  const setUp = async () => {
    const storage = await openStorage()
    return { storage, one: storage.open(), other: storage.open() }
  }

  describe(`${name}: update`, () => {
    it('applies concurrent updates of two processes one at a time', async () => {
      const { one, other } = await setUp()
      const ledgers = Array.from({ length: 20 }, () => [one, other]).flat()
      const settled = await Promise.allSettled(ledgers.map(async (ledger) => ledger.update('a:b', increase)))
      const counts = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
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
      const until = await one.update('a:b', (stored, now) => {
        return { ...increase(stored, now), until: now + 200, result: now + 200 }
      })
      await one.update('a:c', increase)
      const read = () => other.update('a:b', (stored, now) => ({ result: { count: look(stored).result, now } }))
      let found = await read()
      // Within a script, Redis compares the expiry with a slightly earlier time.
      for (; found.count === 1; found = await read()) expect(found.now).toBeLessThan(until + 5)
      expect(found.now).toBeGreaterThanOrEqual(until)
      expect([await one.update('a:b', increase), await one.update('a:c', increase)]).toEqual([1, 2])
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

  // A process does not lose its own memory.
  if (name === 'memory') return
  describe(`${name}: failures`, () => {
    it.each(['new', 'stored', 'expired'])('decides again if another process writes a %s document first', async (is) => {
      const { storage, other } = await setUp()
      const decide = vi.fn((_: unknown, now: number) => ({ result: 0, document: { v: 1 }, until: now + hourMs }))
      if (is !== 'new')
        await other.update('a:b', (_, now) => ({ ...decide(_, now), until: is === 'stored' ? now + hourMs : now - 1 }))
      let races = 0
      const racing = storage.open(async (send, isWrite) => {
        // An equal document has a new version.
        if (isWrite && decide.mock.calls.length > 0 && races++ === 0) await other.update('a:b', decide)
        return send()
      })
      decide.mockClear()
      await racing.update('a:b', decide)
      expect(decide).toHaveBeenCalledTimes(3)
    })

    it('reads in one command and writes in two', async () => {
      const { storage } = await setUp()
      const sent: boolean[] = []
      const one = storage.open((send, isWrite) => {
        sent.push(isWrite)
        return send()
      })
      await one.update('a:b', look)
      sent.length = 0
      for (const decide of [look, increase, increase]) await one.update('a:b', decide)
      expect(sent).toEqual([false, false, true, false, true])
    })

    it('fails with 503 for an unreadable document or an unsupported version, and runs nothing', async () => {
      const { storage, one } = await setUp()
      const addProduct = vi.fn(async () => {})
      const post = postClicks(one, { addProduct })
      await post()
      for (const text of ['', '{', '[1', 'null', '1', '{}', '{"v":1}', '{"v":3,"at":1,"clicks":[]}', '{"v":2}']) {
        await storage.replaceAll?.(text)
        expect(await post(beans, 'one')).toMatchObject({ status: 503, retryAfter: '30' })
      }
      expect(addProduct).toHaveBeenCalledOnce()
    })

    it('rejects while the storage is away, and works afterward', async () => {
      const { storage } = await setUp()
      let isAway = true
      const linked = storage.open((send) => (isAway ? Promise.reject(new Error('the storage is away')) : send()))
      for (const count of [1, 2]) {
        isAway = true
        await expect(linked.update('a:b', increase)).rejects.toThrow('the storage is away')
        isAway = false
        expect(await linked.update('a:b', increase)).toBe(count)
      }
    })
  })
}
