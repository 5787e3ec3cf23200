import { join } from 'node:path'
import { createClient } from '@storeport/client'
import { seed } from '@storeport/rules'
import { openSqlStore } from '@storeport/store-sql'
import { expect, it } from 'vitest'
import { type Click, send } from '@storeport/testing/clicks'
import { clicksOf, customersOf } from '@storeport/testing/crash-shop'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'

const today = '2026-03-10'
const key = 'a-key-of-the-tests-0001'
/** As many rounds as the ordinary run has time for; all of them by night, with STOREPORT_NIGHTLY=1. */
const rounds = process.env['STOREPORT_NIGHTLY'] === '1' ? 50 : 3
const timeout = 900_000

await describeDatabases('a host that is killed', (database) => {
  it(`keeps what it acknowledged, and does nothing twice, ${rounds} times`, { timeout }, async () => {
    const folder = await dataFolder()
    const sqlite = database.name === 'SQLite'
    const url = sqlite ? `sqlite:${join(folder, 'store.db')}` : await database.create()
    const env = {
      STOREPORT_API_KEYS: key,
      STOREPORT_DATA: folder,
      STOREPORT_LOG: 'silent',
      STOREPORT_STORE: sqlite ? 'sqlite' : url,
      STOREPORT_TODAY: today,
    }
    const shops = Array.from({ length: rounds }, (_, round) => customersOf(round))
    const store = await openSqlStore({
      url,
      today,
      seed: 'if-empty',
      data: { ...seed(today), customers: shops.flat() },
    })
    const unitsOf = async (email: string) => {
      const items = (await store.account(email))?.subscriptions.flatMap((subscription) => subscription.items)
      return items?.find(({ product_id }) => product_id === 'test_54321')?.quantity ?? 0
    }

    const unanswered: Click[] = []
    let host = await startHostProcess(env)
    for (const [round, customers] of shops.entries()) {
      const clicks = clicksOf(customers, 12)
      const acknowledged = await clickUntilKilled(host, clicks, 1 + ((round * 37) % (clicks.length - 8)))
      host = await startHostProcess(env)
      for (const { email } of customers) {
        const known = clicks.filter((one) => one.input.email === email && acknowledged.has(one))
        expect(await unitsOf(email)).toBeGreaterThanOrEqual(known.filter(({ call }) => call === 'addProduct').length)
        expect((await store.orders(email)).length).toBeGreaterThanOrEqual(
          known.filter(({ call }) => call === 'sendNow').length,
        )
      }
      // Also when the answer came just before the crash, it is known that it did.
      const last = [...acknowledged].at(-1)
      if (last !== undefined) expect(await send(clientOf(host.url), last)).toBe('done')
      unanswered.push(...clicks.filter((one) => !acknowledged.has(one)))
    }
    // A caller that does not know how it ended asks again, under the same key, until the click of the host that was killed is
    // given up: now everything is there, and nothing twice.
    const client = clientOf(host.url)
    for (const one of unanswered) {
      await expect.poll(() => send(client, one), { timeout: 60_000, interval: 200 }).toBe('done')
    }
    for (const { email } of shops.flat()) {
      expect(await unitsOf(email)).toBe(12)
      expect(await store.orders(email)).toHaveLength(1)
    }
    host.child.kill('SIGTERM')
    expect((await host.exited).code).toBe(0)
    await store.close()
  })
})

/** Sends the clicks of each customer in a row, those of all customers side by side; kills the host after a number of answers. */
async function clickUntilKilled(
  host: Awaited<ReturnType<typeof startHostProcess>>,
  clicks: readonly Click[],
  killAfter: number,
): Promise<ReadonlySet<Click>> {
  const client = clientOf(host.url)
  const acknowledged = new Set<Click>()
  const emails = new Set(clicks.map(({ input }) => input.email))
  await Promise.all(
    [...emails].map(async (email) => {
      for (const one of clicks.filter(({ input }) => input.email === email)) {
        if ((await send(client, one)) !== 'done') return
        acknowledged.add(one)
        if (acknowledged.size === killAfter) host.child.kill('SIGKILL')
      }
    }),
  )
  expect((await host.exited).signal).toBe('SIGKILL')
  return acknowledged
}

function clientOf(url: string) {
  return createClient({ baseUrl: url, apiKey: key })
}
