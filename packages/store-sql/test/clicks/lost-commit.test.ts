import { openSqlStore } from '@storeport/store-sql'
import { contextOf, oneOf } from '@storeport/testing/clicks'
import { startPostgresProxy } from '@storeport/testing/start-proxy'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'

const today = '2026-03-10'
const email = 'subscription@example.com'
const input = { email, ...oneOf('test_54321') }

await describePostgres('COMMIT', (database) => {
  async function open() {
    const proxy = await startPostgresProxy(await database.create())
    const store = await openSqlStore({ url: proxy.url, today, seed: 'if-empty' })
    onTestFinished(async () => {
      await store.close()
      await proxy.stop()
    })
    return { proxy, store }
  }

  it.each(['request', 'response'] as const)('is repeated once if its %s is lost, also without a key', async (when) => {
    const { proxy, store } = await open()
    const { caught } = proxy.trap(/\bcommit\b/, when)
    await store.addProduct(input, contextOf(''))
    await caught
    expect((await store.account(email))?.adds).toHaveLength(1)
  })

  it('completes even if the call is aborted', async () => {
    const { proxy, store } = await open()
    const controller = new AbortController()
    const { caught } = proxy.trap(/\bcommit\b/, 'hold')
    const adding = store.addProduct(input, { ...contextOf(), signal: controller.signal })
    const release = await caught
    const connect = vi.spyOn(pg.Client.prototype, 'connect')
    controller.abort(new Error('The caller has disconnected.'))
    release()
    await adding
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
    expect((await store.account(email))?.adds).toHaveLength(1)
  })
})
