import { oneOf } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/describe-databases'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { ask, pending } from './pending.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

await describePostgres('a click', (database) => {
  it('takes at most six round trips, and one commit', async () => {
    const store = await database.open({ today, poolSize: 1 })
    const input = { email, ...oneOf('test_54321') }
    await ask(store.addProduct, input, pending({ id: 'first' }))
    // Expired clicks are removed in the background first.
    await store.isReady()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await ask(store.addProduct, input, pending({ id: 'second' }))
    const sent = query.mock.calls.map(([statement]: readonly unknown[]) => statement)
    query.mockRestore()
    expect(sent.length).toBeLessThanOrEqual(6)
    expect(sent.filter((statement) => statement === 'commit')).toHaveLength(1)
  })
})
