import type { Context } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { oneOf } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/describe-databases'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { callMethod, pending } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describePostgres('a click', (database) => {
  /** Returns the statements that a click sends after `prepare` has run. */
  async function sentFor<Input>(
    prepare: (store: SqlStore) => Promise<unknown>,
    pick: (store: SqlStore) => (input: Input, context: Context) => Promise<void>,
    input: Input,
  ): Promise<readonly unknown[]> {
    const store = await database.open({ today, poolSize: 1 })
    await prepare(store)
    // Waits until the background removal of expired clicks has ended.
    await store.isReady()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await callMethod(pick(store), input, pending({ fingerprint: 'counted' }))
    const sent = query.mock.calls.map(([statement]: readonly unknown[]) => statement)
    query.mockRestore()
    return sent
  }

  const add = (store: SqlStore, product_id: string) =>
    callMethod(store.addProduct, { email, ...oneOf(product_id) }, pending({ fingerprint: 'first' }))

  it.each([
    ['a new item', {}],
    ['an existing item', { product_id: 'test_12345' }],
    ['an item with a discount code', { discount_code: 'TEST10' }],
    ['a one-time item', { one_time: true }],
  ])('adds %s in four round trips with one commit', async (_, more) => {
    const input = { email, ...oneOf('test_54321'), ...more }
    const sent = await sentFor(
      (store) => add(store, 'test_67890'),
      (store) => store.addProduct,
      input,
    )
    expect(sent).toHaveLength(4)
    expect(sent.filter((statement) => statement === 'commit')).toHaveLength(1)
    expect(sent.indexOf('commit')).toBe(3)
  })

  it('undoes an addition or sends an order in four round trips', async () => {
    const undo = await sentFor(
      (store) => add(store, 'test_54321'),
      (store) => store.undoAddProduct,
      {
        email,
        product_id: 'test_54321',
      },
    )
    expect(undo).toHaveLength(4)
    const send = await sentFor(
      (store) => add(store, 'test_54321'),
      (store) => store.sendNow,
      { email },
    )
    expect(send).toHaveLength(4)
  })

  it('is replayed in three round trips without a commit', async () => {
    const input = { email, ...oneOf('test_54321') }
    const replay = async (store: SqlStore) => {
      await add(store, 'test_67890')
      await callMethod(store.addProduct, input, pending({ fingerprint: 'counted' }))
    }
    const sent = await sentFor(replay, (store) => store.addProduct, input)
    expect(sent).toHaveLength(3)
    expect(sent.at(-1)).toBe('rollback')
  })
})
