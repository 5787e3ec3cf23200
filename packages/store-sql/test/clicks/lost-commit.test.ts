import { openSqlStore } from '@storeport/store-sql'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { startPostgresProxy } from '../postgres-proxy.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const input = { email, ...oneOf('test_54321') }

await describePostgres('COMMIT', (database) => {
  describe.each(['before', 'after'] as const)('a change whose connection is lost %s COMMIT is received', (when) => {
    it.each([
      ['a key', 'k'],
      ['no key', ''],
    ])('is applied once for a call with %s', async (_, key) => {
      const proxy = await startPostgresProxy(await database.create())
      const store = await openSqlStore({ url: proxy.url, today, seed: 'if-empty' })
      proxy.cutCommit(when)
      await store.addProduct(input, contextOf(key))
      expect(proxy.cuts()).toBe(1)
      expect((await store.account(email))?.adds).toHaveLength(1)
      await store.close()
      await proxy.stop()
    })
  })

  it('completes even if the call is aborted', async () => {
    const proxy = await startPostgresProxy(await database.create())
    const store = await openSqlStore({ url: proxy.url, today, seed: 'if-empty' })
    const controller = new AbortController()
    const arrived = proxy.holdCommit()
    const adding = store.addProduct(input, { ...contextOf(), signal: controller.signal })
    const release = await arrived
    const connect = vi.spyOn(pg.Client.prototype, 'connect')
    controller.abort(new Error('The caller has disconnected.'))
    release()
    await adding
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
    expect((await store.account(email))?.adds).toHaveLength(1)
    await store.close()
    await proxy.stop()
  })
})
