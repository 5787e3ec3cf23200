import { createClient } from '@storeport/client'
import { createHistory } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, vi } from 'vitest'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

const email = 'subscription@example.com'
const secret = 'h'.repeat(32)

await describeDatabases('the history of a host', (database) => {
  it('loses no click, and only the end of the history, if the host is killed', async () => {
    const url = await database.create()
    const host = await openProcess({
      STOREPORT_STORE: url,
      STOREPORT_DATA: await dataFolder(),
      STOREPORT_HISTORY_KEY: secret,
    })
    const shop = createClient({ baseUrl: host.url, apiKey: key })
    const store = await openSqlStore({ url })
    const history = createHistory(store.history, { keys: [secret] })
    let accepted = 0
    const killed = new AbortController()
    const clicking = (async () => {
      while (!killed.signal.aborted) {
        const input = { email, product_id: 'test_54321' }
        const isDone = await shop.addProduct(input, { idempotencyKey: `click-${accepted}` }).then(
          () => true,
          () => false,
        )
        if (isDone) accepted += 1
      }
    })()
    await vi.waitFor(async () => expect((await history.read()).records.length).toBeGreaterThan(50), 30_000)
    host.child.kill('SIGKILL')
    await host.exited
    killed.abort()
    await clicking
    const items = (await store.account(email))?.subscriptions.find(({ id }) => id === 'sub_1001')?.items ?? []
    const added = items.find(({ product_id }) => product_id === 'test_54321')?.quantity ?? 0
    // The last click may be saved although its response was lost.
    expect([accepted, accepted + 1]).toContain(added)
    const { records, unreadable } = await history.read({ email, limit: 100_000 })
    expect(unreadable).toBe(0)
    expect(records.length).toBeLessThanOrEqual(added)
    expect(records.map(({ namedKey }) => namedKey)).toEqual(records.map((_, at) => `click-${at}`))
    await store.close()
  })
})
