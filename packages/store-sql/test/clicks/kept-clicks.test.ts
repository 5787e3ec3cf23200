import { createIntegration, type PendingClick } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { ageClicks as age } from '@storeport/testing/stores/age-clicks'
import { oneOf } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it, vi } from 'vitest'
import { callMethod, clickRows, pending } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const product_id = 'test_54321'
const key = 'a-key-of-the-tests-0001'

await describeDatabases('a click that is stored with its change', (database) => {
  const addTo =
    (store: SqlStore) =>
    (one: PendingClick, who = email) =>
      callMethod(store.addProduct, { email: who, ...oneOf(product_id) }, one)
  const open = async () => {
    const store = await database.open({ today })
    return {
      store,
      clicks: () => clickRows(store),
      add: addTo(store),
      undo: (one: PendingClick) => callMethod(store.undoAddProduct, { email, product_id }, one),
      adds: async () => (await store.account(email))?.adds.length,
    }
  }
  const undoClick = (changes: Parameters<typeof pending>[0] = {}) => pending({ fingerprint: 'undo', ...changes })

  /** Returns a function that sends a request. With `leaves`, the caller disconnects before the response. */
  const serve = (store: Parameters<typeof createIntegration>[0]['store']) => {
    const integration = createIntegration({ store, apiKeys: [key], onError: () => {} })
    return (path: string, body: object, leaves = false) =>
      integration.answer({
        ...{ method: 'POST', path: `/integration${path}`, query: '', hasDisconnected: () => leaves },
        header: (name) => ({ 'x-integration-api-key': key, 'content-type': 'application/json' })[name],
        text: async () => JSON.stringify(body),
      })
  }

  it('is replayed within its window, and runs again after the window', async () => {
    const { store, add, adds } = await open()
    expect(await add(pending())).toBe('ran')
    await age(store, 5000)
    expect(await add(pending())).toBe('replayed')
    expect(await adds()).toBe(1)
    await age(store, 5100)
    expect(await add(pending())).toBe('ran')
    expect(await adds()).toBe(2)
  })

  it('is replayed after other clicks if named, and protects its name from reuse (decision 24)', async () => {
    const { add, undo, adds } = await open()
    const named = (changes = {}) => pending({ name: 'n', ...changes })
    await add(named())
    await undo(undoClick())
    expect(await add(named())).toBe('replayed')
    expect(await adds()).toBe(0)
    for (const who of [email, 'test@example.com', 'nobody@example.com']) {
      const reused = named({ fingerprint: 'other', customer: 'other' })
      await expect(add(reused, who)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    }
  })

  it('is not stored if the change is rejected (decision 35)', async () => {
    const { undo, add, clicks } = await open()
    await expect(undo(undoClick())).rejects.toMatchObject({ code: 'product_not_in_order' })
    await expect(add(pending(), 'nobody@example.com')).rejects.toMatchObject({ code: 'customer_not_found' })
    expect(await clicks()).toEqual([])
    await add(pending())
    expect(await undo(undoClick())).toBe('ran')
  })

  it.each([
    ['new', async () => {}],
    [
      'expired',
      async (store: SqlStore) => {
        await addTo(store)(pending())
        await callMethod(store.undoAddProduct, { email, product_id }, undoClick())
        await age(store, 20_000)
      },
    ],
  ])('runs once if the click is %s and is sent 50 times concurrently', async (_, become) => {
    const { store, add, adds } = await open()
    await become(store)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => add(pending())))
    expect(outcomes.filter((outcome) => outcome === 'ran')).toHaveLength(1)
    expect(await adds()).toBe(1)
  })

  it('runs for only one of two customers who concurrently send the same idempotency key', async () => {
    const { store } = await open()
    const send = (customer: string, who: string) =>
      callMethod(
        store.addProduct,
        { email: who, ...oneOf(product_id) },
        pending({ name: 'n', fingerprint: who, customer }),
      ).catch((error: unknown) => error)
    for (let round = 0; round < 10; round++) {
      await store.database.transaction((db) => db.deleteFrom('clicks').execute())
      const outcomes = await Promise.all([send('one', email), send('other', 'test@example.com')])
      expect(outcomes.filter((outcome) => outcome === 'ran')).toHaveLength(1)
      expect(outcomes).toContainEqual(expect.objectContaining({ code: 'idempotency_key_reused' }))
    }
  })

  it('is stored for 10 minutes after a lost response, and for its window after a replay (decision 12)', async () => {
    const { store, clicks, adds } = await open()
    const post = serve(store)
    const add = (leaves?: boolean) => post('/upsells/add-product', { email, product_id }, leaves)
    await add(true)
    const isExtended = async () => {
      const [row] = await clicks()
      expect(row?.expires_at).toBeGreaterThan(Date.now() + 500_000)
    }
    await vi.waitFor(isExtended, 10_000)
    await age(store, 500_000)
    await add()
    expect(await adds()).toBe(1)
    await age(store, 10_100)
    await add()
    expect(await adds()).toBe(2)
  })

  it('is not committed after its time limit', async () => {
    const { add, clicks, adds } = await open()
    await expect(add(pending({ commitBy: 0 }))).rejects.toMatchObject({ code: 'store_timeout', outcome: 'refused' })
    expect(await clicks()).toEqual([])
    expect(await adds()).toBe(0)
  })

  it('returns 503 for a repeated request while a later click in the ledger is pending (decision 6)', async () => {
    const { store, adds } = await open()
    let [begin, end] = [() => {}, () => {}]
    const began = new Promise<void>((resolve) => (begin = resolve))
    const ended = new Promise<void>((resolve) => (end = resolve))
    const runCustomAction = () => {
      begin()
      return ended
    }
    const post = serve({ ...store, runCustomAction })
    const add = () => post('/upsells/add-product', { email, product_id })
    await add()
    const action = post('/custom-action', { email, action_id: 'x' })
    await began
    const undecided = await add()
    expect([undecided.status, undecided.headers['Retry-After']]).toEqual([503, '5'])
    expect(await adds()).toBe(1)
    // A click with different input still runs.
    expect((await post('/upsells/add-product', { email, product_id: 'test_12345' })).status).toBe(200)
    end()
    expect((await action).status).toBe(200)
    expect((await add()).status).toBe(200)
    expect(await adds()).toBe(3)
  })

  it.each([
    ['is not valid JSON', '{'],
    ['has an unknown version', '{"v":2}'],
  ])('returns 503 for a repeated request if the stored document %s', async (_, document) => {
    const { store, adds } = await open()
    const post = serve(store)
    await post('/upsells/add-product', { email, product_id })
    await store.database.transaction((db) => db.updateTable('clicks').set({ document }).execute())
    expect((await post('/upsells/add-product', { email, product_id })).status).toBe(503)
    expect(await adds()).toBe(1)
  })
})
