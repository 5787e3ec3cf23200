import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openSqlStore } from '@storeport/store-sql'
import { click, send } from '@storeport/testing/clicks'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { expect, it, onTestFinished } from 'vitest'

const today = '2026-03-10'
const email = 'subscription@example.com'

/** Resets a shop in another process. Returns the number of statements, or `undefined` if the process was killed. */
async function reset(url: string, killAfter: number): Promise<number | undefined> {
  const script = fileURLToPath(new URL('reset-process.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', script, url, today, String(killAfter)], (error, stdout) => {
      if (error === null) resolve(Number(stdout))
      else if (error.signal === 'SIGKILL') resolve(undefined)
      else reject(error)
    })
  })
}

await describeDatabases('a killed reset', (database) => {
  it('leaves the database unchanged', { timeout: 60_000 }, async () => {
    const url = await database.create()
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    onTestFinished(() => store.close())
    await send(store, click('sendNow', { email }))
    const contents = async () => ({
      account: await store.account(email),
      activity: await store.latestActivity(),
    })
    const before = await contents()
    expect(before.activity.orders).toHaveLength(1)
    for (const killAfter of [3, 8, 12, 16]) {
      expect(await reset(url, killAfter), String(killAfter)).toBeUndefined()
      expect(await contents(), String(killAfter)).toEqual(before)
    }
    const statements = await reset(url, 0)
    // Requires that even the last kill happened during the reset.
    expect(statements).toBeGreaterThanOrEqual(16)
    expect(await contents()).toMatchObject({ activity: { orders: [] } })
  })
})
