import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { describeDatabases, type TestDatabase } from '@storeport/testing/stores/describe-databases'
import type { PostgresDatabases } from '@storeport/testing/postgres-at'
import { type ClickShop, openShop } from './open-shop.ts'
import { emailOf, shopOf } from './shop.ts'

const timeout = 120_000

const keys = [undefined, 'a-key-of-the-caller'] as const

await describeDatabases('read-only or full database', (database, server) => {
  it(
    'rejects clicks with 503, and applies each click once when the database is writable again',
    { timeout },
    async (context) => {
      const place = server === undefined ? await mountSmallDisk(context, database) : { database, ...readOnly(server) }
      const shop = await openShop(place.database, shopOf(1000))
      const [one, other] = [await shop.startHost(), await shop.startHost()]
      // Makes each host run its one-time setup statements.
      for (const host of [one, other]) expect((await add(host, 0)).status).toBe(200)
      await place.stopWrites(shop)
      let index = 1
      // After the disk fills up, the write-ahead log still has space for some clicks.
      while (index < 900 && (await add(one, index)).status === 200) index += 1

      for (const [turn, key] of keys.entries()) {
        for (const host of [one, other, one]) {
          const rejected = await add(host, index + turn, key)
          expect(rejected).toMatchObject({ status: 503, code: 'store_unavailable', replayed: false })
          expect(Number(rejected.retryAfter)).toBeGreaterThan(0)
        }
        expect(await shop.ordersOf(emailOf(index + turn))).toEqual([])
      }
      await place.allowWrites(shop)
      for (const [turn, key] of keys.entries()) {
        const email = emailOf(index + turn)
        expect(await add(other, index + turn, key)).toMatchObject({ status: 200, replayed: false })
        expect(await shop.ordersOf(email)).toEqual(['beans'])
        expect(await add(one, index + turn, key)).toMatchObject({ status: 200, replayed: key !== undefined })
        expect(await shop.ordersOf(email)).toEqual(['beans'])
      }
    },
  )
})

function add(host: Awaited<ReturnType<ClickShop['startHost']>>, customer: number, key?: string) {
  return host.send('/upsells/add-product', { email: emailOf(customer), product_id: 'beans' }, key)
}

/** A database whose writes can be blocked. */
interface Place {
  readonly database: TestDatabase
  stopWrites(shop: ClickShop): Promise<void>
  allowWrites(shop: ClickShop): Promise<void>
}

/** Mounts a file system of 8 MB, which the test can fill with another file. */
async function mountSmallDisk(context: TestContext, database: TestDatabase): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    context.skip('the process cannot mount a file system')
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  const ballast = join(folder, 'ballast')
  const fill = () => {
    for (;;) appendFileSync(ballast, Buffer.alloc(4096))
  }
  return {
    database: { ...database, create: async () => `sqlite:${join(folder, 'shop.db')}` },
    stopWrites: async () => expect(fill).toThrow('ENOSPC'),
    allowWrites: async () => rmSync(ballast),
  }
}

/** Blocks writes by making every transaction read-only, as on a standby server. */
function readOnly({ query }: PostgresDatabases): Omit<Place, 'database'> {
  const set = async ({ url, store }: ClickShop, value: 'on' | 'off') => {
    const name = new URL(url).pathname.slice(1)
    await query(`alter database "${name}" set default_transaction_read_only = ${value}`)
    await query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
    await vi.waitUntil(async () => (await store.isReady()) === (value === 'off'), { timeout: 10_000 })
  }
  return { stopWrites: (shop) => set(shop, 'on'), allowWrites: (shop) => set(shop, 'off') }
}
