import type { PendingClick } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { click as ledgerClick } from '@storeport/testing/behaves-like-ledger'
import { oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { expect, it, vi } from 'vitest'
import { age, ask, pending } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const product_id = 'test_54321'

await describeDatabases('a click that is kept with its change', (database) => {
  const addTo =
    (store: SqlStore) =>
    (one: PendingClick, who = email) =>
      ask(store.addProduct, { email: who, ...oneOf(product_id) }, one)
  const open = async () => {
    const store = await database.open({ today })
    const clicks = async () => store.database.read((db) => db.selectFrom('clicks').selectAll().execute())
    return {
      store,
      clicks,
      add: addTo(store),
      undo: (one: PendingClick) => ask(store.undoAddProduct, { email, product_id }, one),
      adds: async () => (await store.account(email))?.adds.length,
    }
  }
  const undoClick = (changes: Partial<PendingClick> = {}) => pending({ id: 'undo', fingerprint: 'undo', ...changes })

  it('is replayed within its window, and runs after it', async () => {
    const { store, add, adds } = await open()
    expect(await add(pending())).toBe('ran')
    await age(store, 9000)
    expect(await add(pending())).toBe('replayed')
    expect(await adds()).toBe(1)
    await age(store, 1100)
    expect(await add(pending())).toBe('ran')
    expect(await adds()).toBe(2)
  })

  it('counts from when it arrived, however long it waited', async () => {
    const { store, add } = await open()
    await add(pending())
    await age(store, 12_000)
    expect(await add(pending({ arrivedAt: performance.now() - 5000 }))).toBe('replayed')
    // A replay never lengthens a window.
    expect(await add(pending())).toBe('ran')
  })

  it.each([
    ['of the same kind', {}],
    ['that is named', { named: true }],
    ['that has no window', { doneMs: 0 }],
  ])('runs when another success came between, %s', async (_, kind) => {
    const { add, undo, adds } = await open()
    expect([await add(pending()), await undo(undoClick(kind)), await add(pending())]).toEqual(['ran', 'ran', 'ran'])
    expect(await adds()).toBe(1)
  })

  it('is replayed when another one was refused, or was of another customer', async () => {
    const { add, undo } = await open()
    expect(await undo(undoClick()).catch((error: unknown) => error)).toMatchObject({ code: 'product_not_in_order' })
    await add(pending())
    expect(await add(pending({ id: 'b', customer: 'other' }), 'test@example.com')).toBe('ran')
    expect(await add(pending())).toBe('replayed')
  })

  it('is replayed by its name whatever came between, and refuses another body before it looks for the customer', async () => {
    const { add, undo, adds } = await open()
    const named = () => pending({ named: true, doneMs: 86_400_000 })
    await add(named())
    await undo(undoClick())
    expect(await add(named())).toBe('replayed')
    expect(await adds()).toBe(0)
    for (const who of [email, 'test@example.com', 'nobody@example.com']) {
      const reused = { ...named(), fingerprint: 'other', customer: 'other' }
      await expect(add(reused, who)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    }
  })

  it('leaves nothing behind when it is refused', async () => {
    const { undo, add, clicks } = await open()
    await expect(undo(undoClick())).rejects.toMatchObject({ code: 'product_not_in_order' })
    await expect(add(pending(), 'nobody@example.com')).rejects.toMatchObject({ code: 'customer_not_found' })
    expect(await clicks()).toEqual([])
    await add(pending())
    expect(await undo(undoClick())).toBe('ran')
  })

  it.each([
    ['fresh', async () => {}],
    [
      'expired',
      async (store: SqlStore) => {
        await addTo(store)(pending())
        await ask(store.undoAddProduct, { email, product_id }, undoClick())
        await age(store, 20_000)
      },
    ],
  ])('runs once of 50 at once when it is %s', async (_, become) => {
    const { store, add, adds } = await open()
    await become(store)
    const answers = await Promise.all(Array.from({ length: 50 }, () => add(pending())))
    expect(answers.filter((answer) => answer === 'ran')).toHaveLength(1)
    expect(await adds()).toBe(1)
  })

  it('knows its own try when it is run again', async () => {
    const { add, adds } = await open()
    const same = pending()
    expect([await add(same), await add(same)]).toEqual(['ran', 'ran'])
    expect(await adds()).toBe(1)
  })

  it('is remembered longer when its caller got no answer', async () => {
    const { store, add, clicks } = await open()
    let lastsMs = 10_000
    const late = pending({
      remembersMs: () => {
        const now = lastsMs
        lastsMs = 600_000
        return now
      },
    })
    await add(late)
    await vi.waitFor(async () => {
      const [row] = await clicks()
      expect((row?.until ?? 0) - (row?.since ?? 0)).toBe(600_000)
    })
    await age(store, 500_000)
    expect(await add(pending())).toBe('replayed')
  })

  it('is not committed when its time is over', async () => {
    const { add, clicks, adds } = await open()
    await expect(add(pending({ commitBy: 0 }))).rejects.toMatchObject({ code: 'store_timeout', outcome: 'refused' })
    expect(await clicks()).toEqual([])
    expect(await adds()).toBe(0)
  })

  it('is not decided while a later click of the ledger has not ended', async () => {
    const { store, add, adds } = await open()
    await add(pending())
    const action = ledgerClick({ id: 'action', fingerprint: 'action' })
    await store.ledger.claim(action, true)
    await expect(add(pending())).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await adds()).toBe(1)
    // Other clicks run meanwhile.
    expect(await add(pending({ id: 'b', fingerprint: 'b', named: true }))).toBe('ran')
    await store.ledger.settle(action, 'done')
    expect(await add(pending())).toBe('ran')
  })

  it('keeps its place among others when the clock is set back', async () => {
    const { store, add, undo } = await open()
    await add(pending())
    await age(store, -5000)
    expect(await add(pending())).toBe('replayed')
    expect(await undo(undoClick())).toBe('ran')
    expect(await add(pending())).toBe('ran')
    expect(await undo(undoClick())).toBe('ran')
    await age(store, -3_600_000)
    // From a future farther away than a call can take: it was kept before the clock was set back by an hour.
    await add(pending())
    expect(await undo(undoClick())).toBe('ran')
  })

  it('is kept for a minute at least', async () => {
    const { add, clicks } = await open()
    await add(pending({ doneMs: 0, keptMs: 0 }))
    const [row] = await clicks()
    expect((row?.expires_at ?? 0) - (row?.since ?? 0)).toBe(60_000)
  })
})
