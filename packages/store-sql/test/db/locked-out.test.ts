import { mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { outcomeOf } from '@storeport/core'
import { openSqlStore } from '@storeport/store-sql'
import { contextOf } from '@storeport/testing/clicks'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { holdLock } from '../hold-lock.ts'

const email = 'subscription@example.com'

async function failureOf(running: Promise<unknown>): Promise<unknown> {
  return running.then(
    () => 'no error',
    (error: unknown) => error,
  )
}

describe('a SQLite file', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storeport-file-'))
    file = join(folder, 'shop.db')
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function open(statementTimeoutMs = 5000) {
    const notices: string[] = []
    const onNotice = (notice: string) => void notices.push(notice)
    const store = await openSqlStore({ url: `sqlite:${file}`, seed: 'if-empty', statementTimeoutMs, onNotice })
    onTestFinished(() => store.close())
    return {
      store,
      notices,
      add: () => store.addProduct({ email, product_id: 'test_12345', quantity: 1, one_time: false }, contextOf('')),
    }
  }

  it('rejects all waiting changes after one timeout while another connection holds the lock', async () => {
    const { store, add } = await open(150)
    const release = await holdLock(`sqlite:${file}`, '')
    const started = performance.now()
    const ends = await Promise.all(
      Array.from({ length: 9 }, async () => ({ error: await failureOf(add()), at: performance.now() - started })),
    )
    for (const { error } of ends) expect(error).toMatchObject({ code: 'store_unavailable' })
    const times = ends.map(({ at }) => at)
    // The longest of nine sequential timeouts would be nine times as long as the shortest.
    expect(Math.max(...times)).toBeLessThan(4 * Math.min(...times))
    expect(await store.isReady()).toBe(false)
    await release()
    await expect.poll(() => store.isReady(), { timeout: 5000 }).toBe(true)
    await add()
  })

  it('keeps no lock after another connection held the lock of a prepared statement', async () => {
    const { store } = await open()
    const other = new Database(file)
    onTestFinished(() => void other.close())
    const statement = `update settings set value = value where name = 'currency'`
    other.exec('begin immediate')
    let attempts = 0
    const writing = store.database.read(async (_, send) => {
      attempts += 1
      return send(statement, [])
    })
    await expect.poll(() => attempts, { timeout: 5000 }).toBeGreaterThan(1)
    other.exec('commit')
    expect(await writing).toMatchObject({ changes: 1 })
    // Until garbage collection, libsql keeps the failed statement active, and its connection commits nothing.
    other.exec(statement)
  })

  it.each<[string, () => Promise<void>]>([
    ['removed', () => rm(file)],
    ['moved away', () => rename(file, join(folder, 'elsewhere.db'))],
    ['truncated while the log contains its pages', () => moveIntoLog().then(() => truncate(file))],
  ])('rejects changes with an unknown outcome, and is not recreated, after it was %s', async (_, damage) => {
    const { store, notices, add } = await open()
    await damage()
    const error = await failureOf(add())
    expect(error).toMatchObject({ code: 'store_unavailable' })
    expect(outcomeOf(error)).toBe('unknown')
    expect(notices.join()).toContain('was truncated, replaced or removed')
    expect(await store.isReady()).toBe(false)
    expect(await failureOf(add())).toMatchObject({ code: 'store_unavailable' })
    expect((await stat(file).catch(() => undefined))?.size ?? 0).toBe(0)
  })

  it.each([
    ['in its first page', 0],
    ['in its other pages', 4096],
  ])('rejects changes after a read has found damage %s', async (_, from) => {
    const { store, notices, add } = await open()
    await add()
    const undamaged = new Database(file)
    undamaged.exec('pragma wal_checkpoint(truncate)')
    undamaged.close()
    const damaged = await readFile(file)
    await writeFile(file, damaged.fill(0x5a, from), { flag: 'r+' })
    // The connection for changes has cached the pages. Without the check, a change would succeed and then be lost.
    expect(await store.isReady()).toBe(false)
    expect(await failureOf(add())).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching('backup'),
    })
    expect(await failureOf(store.getSubscription({ email }, contextOf('')))).toMatchObject({
      code: 'store_unavailable',
    })
    expect(notices.join()).toMatch(/is damaged\. Stop the store.*-wal.*backup/)
    await expect(openSqlStore({ url: `sqlite:${file}` })).rejects.toThrow('shop.db')
  })

  /** Rewrites every page of the file. While a store uses the file, SQLite writes the pages to the log. */
  async function moveIntoLog(): Promise<void> {
    const other = new Database(file)
    other.exec('vacuum')
    other.close()
  }

  it('is not used with the old log after the file was replaced', async () => {
    const { notices, add, store } = await open()
    await add()
    const another = join(folder, 'another.db')
    await (await openSqlStore({ url: `sqlite:${another}`, seed: 'if-empty' })).close()
    const contents = await readFile(another)
    await rename(another, file)
    expect(outcomeOf(await failureOf(add()))).toBe('unknown')
    expect(notices).toHaveLength(1)
    expect(await failureOf(add())).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('-wal'),
    })
    expect(await store.isReady()).toBe(false)
    expect((await readFile(file)).equals(contents)).toBe(true)
    // Follows the advice in the error message: remove the -wal and -shm files.
    await Promise.all([rm(`${file}-wal`), rm(`${file}-shm`)])
    const restarted = await open()
    await restarted.add()
    expect((await restarted.store.account(email))?.adds).toHaveLength(1)
  })
})

describe('PostgreSQL with a locked customer', () => {
  const others = ['another@example.com', 'cancelled@example.com', 'test@example.com']

  async function open(locked: readonly string[]) {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    const store = await openSqlStore({ url, seed: 'if-empty', poolSize: 4, statementTimeoutMs: 60_000 })
    onTestFinished(() => store.close())
    const release = await holdLock(url, `select from customers where email_key in ('${locked.join("','")}') for update`)
    const lockWaits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const waiting = async () => (await server.query(lockWaits, url)).length
    const change = (who: string) =>
      store.delaySubscription({ email: who, new_date: '2099-01-01' }, contextOf('')).catch(() => {})
    const look = (who: string) => store.listProducts({ email: who }, contextOf(''))
    return { release, waiting, change, look }
  }

  it.each([
    ['one connection to wait for a locked customer', [email], 12, 1],
    ['at most half the connection pool to wait for locked customers', [email, ...others], 2, 2],
  ])('uses %s, and still serves reads', async (_, locked, changesEach, connections) => {
    const { release, waiting, change, look } = await open(locked)
    const changes = locked.flatMap((who) => Array.from({ length: changesEach }, () => change(who)))
    await expect.poll(waiting, { timeout: 20_000 }).toBe(connections)
    for (const who of [...others, email]) await look(who)
    if (locked.length === 1) await change('another@example.com')
    expect(await waiting()).toBe(connections)
    await release()
    await Promise.all(changes)
  })
})
