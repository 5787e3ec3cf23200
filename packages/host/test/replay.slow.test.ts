import { shopAt } from '@storeport/testing/shop-at'
import { createHistory } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { replayCommand } from '../src/history/replay-command.ts'
import { key } from './open-host.ts'
import { killBeforeResponse, openProcess } from './open-process.ts'

const email = 'test@example.com'
const secret = 'h'.repeat(32)
/** The seed contains this product, which is sold out. */
const soldOut = { email, product_id: 'test_00000' }

await describeDatabases('storeport replay', (database) => {
  it('runs a click once after a kill between the effect and the response', async () => {
    const env = {
      STOREPORT_STORE: await database.create(),
      STOREPORT_DATA: await dataFolder(),
      STOREPORT_HISTORY_KEY: secret,
    }
    const host = await openProcess(env, killBeforeResponse)
    const store = await openSqlStore({ url: env.STOREPORT_STORE })
    onTestFinished(() => store.close())
    const shop = shopAt(host.url, key)
    const send = (requestId: string) => shop.addProduct(soldOut, { 'X-Request-Id': requestId, 'Idempotency-Key': 'click-1' })
    await expect(send('rejected')).rejects.toThrow()
    const history = createHistory(store.history, { keys: [secret] })
    const stored = async () => (await history.read({ email })).records.map(({ status }) => status)
    await vi.waitFor(async () => expect(await stored()).toEqual([400]), 10_000)
    await store.database.transaction((db) =>
      db
        .updateTable('products')
        .set({ available: database.name === 'SQLite' ? 1 : true })
        .where('id', '=', soldOut.product_id)
        .execute(),
    )
    await expect(send('killed')).rejects.toThrow()
    expect(await host.exited).toMatchObject({ signal: 'SIGKILL' })
    // The history has lost the click that took effect.
    expect(await stored()).toEqual([400])
    const replayed = await run(env, ['replay', 'rejected', '--yes']).exited
    expect([replayed.code, replayed.stdout, replayed.stderr]).toEqual([
      0,
      expect.stringContaining('had already taken effect'),
      '',
    ])
    expect(await store.orders(email)).toHaveLength(1)
    await expect(replayCommand(['rejected', '--yes'], env)).rejects.toThrow('the click has succeeded')
  })
})
