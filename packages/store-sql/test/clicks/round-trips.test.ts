import type { Context } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { oneOf } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/describe-databases'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { ask, pending } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describePostgres('a click', (database) => {
  /** What is sent to the server for a click, when nothing is done for the first time. */
  async function sentFor<Input>(
    prepare: (store: SqlStore) => Promise<unknown>,
    pick: (store: SqlStore) => (input: Input, context: Context) => Promise<void>,
    input: Input,
  ): Promise<readonly unknown[]> {
    const store = await database.open({ today, poolSize: 1 })
    await prepare(store)
    // Expired clicks are removed in the background first.
    await store.isReady()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await ask(pick(store), input, pending({ fingerprint: 'counted' }))
    const sent = query.mock.calls.map(([statement]: readonly unknown[]) => statement)
    query.mockRestore()
    return sent
  }

  const add = (store: SqlStore, product_id: string) =>
    ask(store.addProduct, { email, ...oneOf(product_id) }, pending({ fingerprint: 'first' }))

  it.each([
    ['of a new item', {}],
    ['of an item that is there', { product_id: 'test_12345' }],
    ['with a discount code', { discount_code: 'TEST10' }],
    ['for the next order', { one_time: true }],
  ])('that adds takes four round trips, of which one is a commit: %s', async (_, more) => {
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

  it('that takes back or sends takes four', async () => {
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

  it('that is replayed takes three, and no commit', async () => {
    const input = { email, ...oneOf('test_54321') }
    const replay = async (store: SqlStore) => {
      await add(store, 'test_67890')
      await ask(store.addProduct, input, pending({ fingerprint: 'counted' }))
    }
    const sent = await sentFor(replay, (store) => store.addProduct, input)
    expect(sent).toHaveLength(3)
    expect(sent.at(-1)).toBe('rollback')
  })
})
