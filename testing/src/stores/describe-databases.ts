import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlStore, type SqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { afterAll, describe, it } from 'vitest'
import type { PostgresDatabases } from '../postgres-at.ts'
import { fastSettings } from '../postgres-on-demand.ts'
import { sharedPostgres } from '../shared-postgres.ts'
import { type PostgresServer, startPostgres } from '../start-postgres.ts'

/** A database system on which tests can create databases. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Creates an empty database and returns its URL. */
  create(): Promise<string>
  /** Opens a store on a new database. The store is closed after the tests. */
  open(options?: Partial<SqlStoreOptions>): Promise<SqlStore>
}

/**
 * Folder for databases. The folder is in memory if possible, because the data does not need to survive a crash of the
 * machine.
 */
export const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Defines tests that run on SQLite and on the shared PostgreSQL server. */
export async function describeDatabases(
  about: string,
  tests: (database: TestDatabase, server: PostgresDatabases | undefined) => void,
): Promise<void> {
  await describeSqlite(about, (database) => tests(database, undefined))
  await describePostgres(about, tests)
}

/** Defines tests that run on SQLite and on a separate PostgreSQL server, which the tests can stop and crash. */
export async function describeStoppableDatabases(
  about: string,
  tests: (database: TestDatabase, server: PostgresServer | undefined) => void,
): Promise<void> {
  await describeSqlite(about, (database) => tests(database, undefined))
  // Uses synchronous commits, because acknowledged commits must survive a crash of the server.
  const start = () => startPostgres(fastSettings.filter((setting) => setting !== 'synchronous_commit=off'))
  await describeServer(about, start, tests, (server) => server.stop())
}

/** Defines tests that run on the shared PostgreSQL server. */
export async function describePostgres(
  about: string,
  tests: (database: TestDatabase, server: PostgresDatabases) => void,
): Promise<void> {
  const created: string[] = []
  const start = async (): Promise<PostgresDatabases> => {
    const server = await sharedPostgres()
    const createDatabase = async () => {
      const url = await server.createDatabase()
      created.push(url)
      return url
    }
    return { ...server, createDatabase }
  }
  await describeServer(about, start, tests, async ({ dropDatabase }) => {
    for (const url of created) await dropDatabase(url)
  })
}

/** Defines tests that run on SQLite. */
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

/** Skips the tests if PostgreSQL cannot start, and adds the reason to the test name. Throws if CI=true. */
async function describeServer<Server extends PostgresDatabases>(
  about: string,
  start: () => Promise<Server>,
  tests: (database: TestDatabase, server: Server) => void,
  end: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await start().catch((error: unknown) => {
    if (process.env['CI'] === 'true') throw error
    return error instanceof Error ? error.message : 'unknown reason'
  })
  if (typeof server === 'string') {
    describe(`${about}: PostgreSQL`, () => it.skip(`cannot start: ${server}`, () => {}))
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
