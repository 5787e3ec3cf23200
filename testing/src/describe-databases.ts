import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlStore, type SqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { afterAll, describe, it } from 'vitest'
import type { PostgresDatabases } from './postgres-at.ts'
import { fastSettings } from './postgres-on-demand.ts'
import { sharedPostgres } from './shared-postgres.ts'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

/** A kind of database, of which a test gets as many as it wants. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Makes an empty database and returns its address. */
  create(): Promise<string>
  /** Opens a store over an empty database; it is closed after the tests. */
  open(options?: Partial<SqlStoreOptions>): Promise<SqlStore>
}

/** What a crash of the machine would lose is not what these tests are about, so nothing waits for a disk. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Describes the same for SQLite and for the PostgreSQL server of this run. */
export async function describeDatabases(
  about: string,
  tests: (database: TestDatabase, server: PostgresDatabases | undefined) => void,
): Promise<void> {
  await describeSqlite(about, (database) => tests(database, undefined))
  await describePostgres(about, tests)
}

/** The same with a PostgreSQL server of the tests' own, which they may stop and crash. */
export async function describeStoppableDatabases(
  about: string,
  tests: (database: TestDatabase, server: PostgresServer | undefined) => void,
): Promise<void> {
  await describeSqlite(about, (database) => tests(database, undefined))
  // What was acknowledged must outlive the crash of the server, though not that of the machine.
  const start = () => startPostgres(fastSettings.filter((setting) => setting !== 'synchronous_commit=off'))
  await describeServer(about, start, tests, (server) => server.stop())
}

/** Describes something of the PostgreSQL server of this run. */
export async function describePostgres(
  about: string,
  tests: (database: TestDatabase, server: PostgresDatabases) => void,
): Promise<void> {
  const made: string[] = []
  const start = async (): Promise<PostgresDatabases> => {
    const server = await sharedPostgres()
    const createDatabase = async () => {
      const address = await server.createDatabase()
      made.push(address)
      return address
    }
    return { ...server, createDatabase }
  }
  await describeServer(about, start, tests, async ({ dropDatabase }) => {
    for (const address of made) await dropDatabase(address)
  })
}

/** Describes something of SQLite. */
export async function describeSqlite(about: string, tests: (database: TestDatabase) => void): Promise<void> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  let files = 0
  const sqlite = openingDatabase('SQLite', async () => `sqlite:${join(folder, `shop-${++files}.db`)}`)
  describe(`${about}: SQLite`, () => tests(sqlite))
  afterAll(async () => {
    await sqlite.closeAll()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Where PostgreSQL cannot start, the tests are skipped with the reason in their name; with CI=true that is a failure. */
async function describeServer<Server extends PostgresDatabases>(
  about: string,
  start: () => Promise<Server>,
  tests: (database: TestDatabase, server: Server) => void,
  end: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await start().catch((error: unknown) => {
    if (process.env['CI'] === 'true') throw error
    return error instanceof Error ? error.message : 'no reason given'
  })
  if (typeof server === 'string') {
    describe(`${about}: PostgreSQL`, () => it.skip(`does not start here: ${server}`, () => {}))
    return
  }
  const postgres = openingDatabase('PostgreSQL', server.createDatabase)
  describe(`${about}: PostgreSQL`, () => tests(postgres, server))
  afterAll(async () => {
    await postgres.closeAll()
    await end(server)
  })
}

function openingDatabase(name: TestDatabase['name'], create: () => Promise<string>) {
  const opened: SqlStore[] = []
  return {
    name,
    create,
    open: async (options?: Partial<SqlStoreOptions>) => {
      const store = await openSqlStore({ url: await create(), seed: 'if-empty', ...options })
      opened.push(store)
      return store
    },
    closeAll: () => Promise.all(opened.map((store) => store.close())),
  }
}
