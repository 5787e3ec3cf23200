import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openSqlStore } from '@storeport/store-sql'
import { startDebianPostgres, noDebianPostgres } from '@storeport/testing/start-debian-postgres'
import { readBlock } from '@storeport/testing/read-block'
import { key, send } from '@storeport/testing/send'
import { dataFolder, hostForTest, run } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

const email = 'test@example.com'
const guide = 'docs/guide/go-live.md'

type Env = Readonly<Record<string, string>>

/** Starts a host and sends clicks of one customer until the test kills the host. */
async function startBusyHost(env: Env) {
  const host = await hostForTest({ ...env, STOREPORT_LOG: 'silent' })
  let acknowledged = 0
  const stopping = new AbortController()
  const click = async () => {
    while (!stopping.signal.aborted) {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const body = { email, product_id: 'test_12345' }
      const sent = send(host.url, '/integration/upsells/add-product', { headers, body })
      const response = await sent.catch(() => undefined)
      if (response?.status === 200) acknowledged += 1
    }
  }
  const clicking = Promise.all([click(), click(), click()])
  return {
    acknowledged: () => acknowledged,
    untilAcknowledged: (count: number) => vi.waitUntil(() => acknowledged >= count, { timeout: 30_000 }),
    crash: async () => {
      await host.crash()
      stopping.abort()
      await clicking
    },
  }
}

/** Starts a host with a database and returns the number of the customer's orders. */
async function countOrders(env: Env, url: string): Promise<number> {
  const host = await hostForTest({ ...env, STOREPORT_LOG: 'silent' })
  expect((await send(host.url, `/integration/upsells/products?email=${email}`)).status).toBe(200)
  const store = await openSqlStore({ url })
  onTestFinished(() => store.close())
  return (await store.orders(email, { limit: 100_000 })).length
}

/**
 * Backs up the database of a busy host, crashes the host, and restores the database at `restored`. Asserts that every
 * click acknowledged before the backup is restored.
 */
async function expectRestored(
  env: Env,
  system: 'SQLite' | 'PostgreSQL',
  shell: (commands: string) => Promise<unknown>,
  restored: { readonly env: Env; readonly url: string },
): Promise<void> {
  const host = await startBusyHost(env)
  await host.untilAcknowledged(50)
  const before = host.acknowledged()
  await shell(readBlock(guide, 'sh', `Back up ${system}`))
  const after = host.acknowledged()
  await host.untilAcknowledged(after + 20)
  await host.crash()
  await shell(readBlock(guide, 'sh', `Restore ${system}`))
  const orders = await countOrders(restored.env, restored.url)
  console.log(`${before} clicks before the backup, ${after} at its end: ${orders} restored`)
  expect(orders).toBeGreaterThanOrEqual(before)
  // Up to three clicks may be committed before their responses are counted.
  expect(orders).toBeLessThanOrEqual(after + 3)
}

describe('backup of a running host', () => {
  it('restores every click that was acknowledged before the start of a SQLite backup', async () => {
    const folder = await dataFolder()
    const env = { STOREPORT_DATA: join(folder, '.storeport'), STOREPORT_API_KEYS: key }
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const storeport = `node --import ${tsx} ${resolve('packages/host/src/main.ts')}`
    const settings = { STOREPORT_DATA: env.STOREPORT_DATA, TSX_TSCONFIG_PATH: resolve('tsconfig.json') }
    const shell = (commands: string) =>
      promisify(execFile)('bash', ['-ec', `npx() { shift; ${storeport} "$@"; }\n${commands}`], {
        cwd: folder,
        env: { ...process.env, ...settings },
      })
    await expectRestored(env, 'SQLite', shell, { env, url: `sqlite:${join(env.STOREPORT_DATA, 'store.db')}` })
  })

  it.skipIf(noDebianPostgres)('restores every click acknowledged before a PostgreSQL backup', async () => {
    const postgres = await startDebianPostgres()
    onTestFinished(postgres.stop)
    const folder = await dataFolder()
    await postgres.createDatabases('shop')
    const [url, restored] = [postgres.urlOf('shop'), postgres.urlOf('shop_restored')]
    const env = { STOREPORT_DATA: folder, STOREPORT_API_KEYS: key, STOREPORT_STORE: url }
    const settings = { STOREPORT_STORE: url, SERVER: postgres.urlOf('postgres'), RESTORED: restored }
    const shell = (commands: string) => postgres.shell(`cd ${folder}\n${commands}`, settings)
    await expectRestored(env, 'PostgreSQL', shell, { env: { ...env, STOREPORT_STORE: restored }, url: restored })
  })
})

describe('storeport backup', () => {
  it.each([
    [[], {}, 'backup: no file given'],
    [['copy.db'], { STOREPORT_STORE: 'memory' }, 'backup: STOREPORT_STORE must be a SQLite database, not memory'],
    [
      ['copy.db'],
      { STOREPORT_STORE: 'postgres://me:secret-word@localhost/shop' },
      'backup: Only SQLite databases can be backed up this way. Use pg_dump for PostgreSQL.',
    ],
    [['copy.db'], {}, 'backup: SQLite file not found'],
  ])('explains the error for arguments %j with settings %j', async (args, settings, message) => {
    const ended = await run({ STOREPORT_DATA: '/nonexistent/storeport', ...settings }, ['backup', ...args]).exited
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(`storeport: ${message}`)
    expect(ended.stderr).not.toContain('secret-word')
  })

  it('does not overwrite an existing file, and rejects a missing folder', async () => {
    const folder = await dataFolder()
    const env = { STOREPORT_DATA: folder }
    await hostForTest({ ...env, STOREPORT_LOG: 'silent' })
    const before = await readFile(join(folder, 'token'), 'utf8')
    const existing = await run(env, ['backup', join(folder, 'token')]).exited
    expect(existing.stderr).toContain('already exists. Choose a new file')
    expect(await readFile(join(folder, 'token'), 'utf8')).toBe(before)
    const missing = await run(env, ['backup', join(folder, 'none', 'copy.db')]).exited
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Could not write the backup.')])
  })
})
