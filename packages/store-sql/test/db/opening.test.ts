import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlStore, type SqlStoreOptions, StoreOpenError } from '@storeport/store-sql'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { click, contextOf, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases, describePostgres } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

/** Opens and closes a store; returns `opened` or the error message. */
async function tryToOpen(url: string, options: Partial<SqlStoreOptions> = {}): Promise<string> {
  try {
    const store = await openSqlStore({ url, seed: 'if-empty', ...options })
    await store.close()
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error
    expect(error.cause).toBeUndefined()
    expect(error.message).not.toMatch(/secret|\n/)
    return error.message
  }
  return 'opened'
}

const urls: readonly [message: RegExp, urls: readonly string[]][] = [
  [
    /^Invalid store URL\. Use sqlite:<file> or postgres:\/\/<user>:<password>@<host>\/<database>\.$/,
    ['', 'memory', 'mysql://root:secret@localhost/shop', '/var/lib/shop.db', 'http://secret@example.com'],
  ],
  [/^sqlite: must be followed by a file path/, ['sqlite:', 'sqlite://', 'sqlite::memory:', 'sqlite://tmp/shop.db']],
  [
    /^Invalid PostgreSQL URL\. .*percent-encoded\.$/,
    ['postgres://me:sec ret@[/shop', 'postgres://me:secret@local host/shop'],
  ],
  [/^The PostgreSQL database at 127\.0\.0\.1:1\/shop cannot be reached/, ['postgres://me:secret@127.0.0.1:1/shop']],
  [/^The PostgreSQL database at localhost:1\/shop cannot be reached/, ['postgresql://me:secret@localhost:1/shop']],
  [/^The PostgreSQL database at nowhere\.invalid\/shop cannot/, ['postgres://me:secret@nowhere.invalid/shop']],
  [/^The PostgreSQL database at \/nowhere\/shop cannot/, ['postgres://me:secret@localhost/shop?host=/nowhere']],
]
const rowsOfUrls = urls.flatMap(([message, each]) => each.map((url) => [url, message] as const))

it.each(rowsOfUrls)('explains a URL that cannot be used, without its password: %s', async (url, message) => {
  expect(await tryToOpen(url)).toMatch(message)
})

describe('opening a SQLite file', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)
  const urlOf = (name: string) => `sqlite:${file(name)}`

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storeport-opening-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('creates the file and its folder', async () => {
    expect(await tryToOpen(urlOf('made/for/it/shop.db'))).toBe('opened')
    const store = await openSqlStore({ url: urlOf('made/for/it/shop.db') })
    expect((await store.listProducts({}, contextOf())).products).toHaveLength(3)
    await store.close()
  })

  const devices: [path: string, message: RegExp][] = [
    ['/dev/full', /cannot grow because the disk is full \(SQLITE_FULL\)\. Free disk space\.$/],
    ['/proc/nowhere/shop.db', /^Cannot create the folder \/proc\/nowhere /],
  ]
  it.each<[path: string, message: RegExp]>([
    ['letter.db', /^The SQLite file .*letter\.db is not a SQLite database \(SQLITE_NOTADB\)\. Choose another file\.$/],
    ['folder', /folder cannot be opened /],
    ['letter.db/shop.db', /cannot be opened|Cannot create/],
    ['letter.db/further/shop.db', /^Cannot create the folder .*further \(ENOTDIR\)\. /],
    ...(process.platform === 'linux' ? devices : []),
  ])('reports a path that cannot be used: %s', async (path, message) => {
    await writeFile(file('letter.db'), 'This is a letter. '.repeat(1000))
    await mkdir(file('folder'), { recursive: true })
    expect(await tryToOpen(path.startsWith('/') ? `sqlite:${path}` : urlOf(path))).toMatch(message)
  })

  it.runIf(process.getuid !== undefined)('reports missing write permission', async () => {
    await tryToOpen(urlOf('written/shop.db'))
    await mkdir(file('copied'))
    // Copies the file without its log. For the copy, SQLite returns an error code that libsql does not support.
    await copyFile(file('written/shop.db'), file('copied/shop.db'))
    for (const name of ['written', 'copied']) {
      await chmod(file(name), 0o755)
      await chmod(file(`${name}/shop.db`), 0o444)
    }
    await mkdir(file('locked'), { mode: 0o555 })
    await chmod(folder, 0o755)
    // Root can write every file, so the test switches to another user.
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      expect(await tryToOpen(urlOf('locked/shop.db'))).toMatch(/cannot be opened .*write permission for the folder/)
      expect(await tryToOpen(urlOf('written/shop.db'))).toMatch(/cannot be written .*Grant this user write permission/)
      expect(await tryToOpen(urlOf('copied/shop.db'))).toMatch(/cannot be written .*Grant this user write permission/)
      expect(await tryToOpen(urlOf('locked/further/shop.db'))).toMatch(/^Cannot create the folder .* \(EACCES\)\. /)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  it('rejects changes while the disk is full, and accepts changes again when space is available', async () => {
    const store = await openSqlStore({ url: urlOf('full.db'), today, seed: 'if-empty' })
    const limit = async (pages: number) => {
      await store.database.transaction((db) => sql.raw(`pragma max_page_count = ${pages}`).execute(db))
    }
    await limit(1)
    const email = 'test@example.com'
    const adds = Array.from({ length: 400 }, () => click('addProduct', { email, ...oneOf('test_12345') }))
    const outcomes: string[] = []
    for (const each of adds) outcomes.push(await send(store, each))
    expect(outcomes.at(-1)).toBe('store_unavailable')
    const done = outcomes.filter((outcome) => outcome === 'done').length
    expect(await store.orders(email, { limit: 1000 })).toHaveLength(done)
    await limit(1_000_000)
    for (const each of adds) expect(await send(store, each)).toBe('done')
    expect(await store.orders(email, { limit: 1000 })).toHaveLength(400)
    await store.close()
  })
})

await describePostgres('opening a PostgreSQL database', (database, server) => {
  const search = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value)
  const rows: readonly [message: RegExp, change: (url: URL) => void][] = [
    [
      /rejects the user \(28P01\)\. Check the user name and password\.$/,
      (url) => void (url.password = 'another-secret'),
    ],
    [/rejects the user/, (url) => void (url.username = 'unknown')],
    [
      /missing does not exist \(3D000\)\. Create the database, or check its name in the URL\.$/,
      (url) => void (url.pathname = '/missing'),
    ],
    [
      /cannot be set up \(42501\)\. Grant the user the permission to create tables\.$/,
      (url) => void Object.assign(url, { username: 'guest', password: 'guest-secret' }),
    ],
    [/does not support TLS\. Remove sslmode from the URL\.$/, search('sslmode', 'verify-full')],
    [
      /has no schema for the tables \(\w+\)\. Create the schema in search_path/,
      search('options', '-c search_path=missing'),
    ],
  ]
  beforeAll(() => server.query(`create role guest login password 'guest-secret'`))

  it.each(rows)('reports that the database %s', async (message, change) => {
    const url = new URL(await database.create())
    change(url)
    expect(await tryToOpen(url.href)).toMatch(message)
  })

  it('supports two stores in separate schemas', async () => {
    const url = await database.create()
    await server.query('create schema one; create schema two', url)
    for (const schema of ['one', 'two']) {
      const own = new URL(url)
      own.searchParams.set('options', `-c search_path=${schema}`)
      expect(await tryToOpen(own.href)).toBe('opened')
    }
    const [row] = await server.query(
      `select count(*)::int as tables from information_schema.tables where table_schema = 'two'`,
      url,
    )
    expect(row?.['tables']).toBe(9)
  })
})

await describeDatabases('opening a database', (database, server) => {
  const run = (url: string, statement: string) =>
    openSqlStore({ url }).then(async (store) => {
      await store.database.transaction((db) => sql.raw(statement).execute(db))
      await store.close()
    })

  it('rejects tables from an earlier or later version', async () => {
    for (const change of [
      `update storeport_migrations set name = '001-tables'`,
      `insert into storeport_migrations (name) values ('999')`,
    ]) {
      const url = await database.create()
      await run(url, change)
      const message =
        /^Another version of @storeport\/store-sql created these tables\. .* an empty database or a new data folder\.$/
      expect(await tryToOpen(url)).toMatch(message)
      expect(await tryToOpen(url, { migrate: false })).toMatch(message)
    }
  })

  it('rejects missing tables with migrate: false', async () => {
    const url = await database.create()
    // The second run shows that the first run created nothing.
    const missing = /^The database contains no tables of StorePort/
    expect(await tryToOpen(url, { migrate: false })).toMatch(missing)
    expect(await tryToOpen(url, { migrate: false })).toMatch(missing)
    expect(await tryToOpen(url)).toBe('opened')
    expect(await tryToOpen(url, { migrate: false })).toBe('opened')
  })

  it('rejects tables that another program created', async () => {
    const url = await database.create()
    if (server === undefined) {
      const { default: Database } = await import('libsql')
      const other = new Database(url.slice('sqlite:'.length))
      other.exec('create table customers (name text)')
      other.close()
    } else {
      await server.query('create table customers (name text)', url)
    }
    expect(await tryToOpen(url)).toMatch(/contains tables from another program /)
    expect(await tryToOpen(url)).toMatch(/contains tables from another program /)
    const tables = await server?.query(`select tablename from pg_tables where schemaname = 'public'`, url)
    if (tables !== undefined) expect(tables).toEqual([{ tablename: 'customers' }])
  })

  it('creates and seeds the tables once if several hosts start concurrently', { timeout: 60_000 }, async () => {
    const url = await database.create()
    const stores = await Promise.all(Array.from({ length: 6 }, () => openSqlStore({ url, today, seed: 'if-empty' })))
    for (const store of stores) {
      expect((await store.getSubscription({ email: 'subscription@example.com' }, contextOf()))?.items).toHaveLength(2)
    }
    const [first] = stores
    const customers = await first?.database.read((db) => db.selectFrom('customers').select('id').execute())
    expect(customers).toHaveLength(4)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('seeds only once, and only with `seed: if-empty`', async () => {
    const url = await database.create()
    await (await openSqlStore({ url, today })).close()
    const empty = await openSqlStore({ url, today })
    expect((await empty.listProducts({}, contextOf())).products).toEqual([])
    await empty.close()
    await (await openSqlStore({ url, today, seed: 'if-empty' })).close()
    await run(url, 'delete from customers')
    const store = await openSqlStore({ url, today, seed: 'if-empty' })
    expect(await store.account('test@example.com')).toBeUndefined()
    expect((await store.listProducts({}, contextOf())).products).toHaveLength(3)
    await store.close()
  })
})
