import { join } from 'node:path'
import { shopAt } from '@storeport/testing/shop-at'
import { openSqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { key } from '@storeport/testing/send'
import { hostForTest } from '@storeport/testing/start-host-process'

const email = 'subscription@example.com'

/** Returns the URL of a new database, and a function that returns the settings of a host for a date. */
async function createSettings() {
  const folder = await dataFolder()
  const env = { STOREPORT_DATA: folder, STOREPORT_API_KEYS: key }
  return { at: (STOREPORT_TODAY: string) => ({ ...env, STOREPORT_TODAY }), url: `sqlite:${join(folder, 'store.db')}` }
}

/** Opens the database without a host, until the test ends. */
async function openStore(options: SqlStoreOptions) {
  const store = await openSqlStore(options)
  onTestFinished(() => store.close())
  return store
}

async function startHost(env: Record<string, string>) {
  const host = await hostForTest({ STOREPORT_STORE: 'sqlite', ...env })
  const shop = shopAt(host.url, key)
  return {
    shop,
    output: host.output,
    nextDate: async () => (await shop.getSubscription({ email })).next_billing_date,
    /** Stops the host and returns its log lines except requests and `stopped`. */
    end: async () => {
      const { code, lines } = await host.stop()
      expect([code, lines.pop()?.['msg']]).toEqual([0, 'stopped'])
      return lines.filter(({ msg }) => msg !== 'request completed')
    },
  }
}

describe('billing by the host', () => {
  it('creates due orders after STOREPORT_TODAY has been moved ahead, and returns a future billing date', async () => {
    const { at, url } = await createSettings()
    const before = await startHost(at('2026-03-10'))
    expect(await before.nextDate()).toBe('2026-03-24')
    expect(await before.end()).toEqual([])

    const today = '2026-06-30'
    const after = await startHost(at(today))
    await vi.waitUntil(() => after.output.stdout.includes('created due orders'), { timeout: 30_000 })
    expect(await after.nextDate()).toBe('2026-07-02')
    const [line, ...others] = await after.end()
    expect([line, others]).toEqual([
      { level: 30, time: expect.any(Number), orders: 3, ms: expect.any(Number), msg: 'created due orders' },
      [],
    ])
    const orders = await (await openStore({ url, today })).orders()
    expect(orders.map(({ subscription_id }) => subscription_id).toSorted()).toEqual([
      'sub_1001',
      'sub_1002',
      'sub_3001',
    ])
    expect(new Set(orders.map(({ placed_on }) => placed_on))).toEqual(new Set([today]))
  })

  it('logs a warning if STOREPORT_TODAY is earlier than the latest order', async () => {
    const { at, url } = await createSettings()
    await openStore({ url, today: '2026-03-10', seed: 'if-empty' })
    for (const stdout of ['Created 3 orders\n', 'Created 0 orders\n'])
      expect(await run(at('2026-06-30'), ['bill']).exited).toMatchObject({ code: 0, stdout, stderr: '' })
    const host = await startHost(at('2026-03-11'))
    expect(await host.nextDate()).toBe('2026-07-02')
    expect(await host.end()).toMatchObject([
      {
        level: 40,
        today: '2026-03-11',
        latestOrderOn: '2026-06-30',
        msg: expect.stringContaining('before the date of the latest order'),
      },
    ])
  })
})
