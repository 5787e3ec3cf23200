import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlStore, type SqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { afterAll, describe, it } from 'vitest'
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

/** Describes the same for SQLite and for a real PostgreSQL server. */
export async function describeDatabases(
  about: string,
  tests: (database: TestDatabase, server: PostgresServer | undefined) => void,
): Promise<void> {
  const folder = await mkdtemp(join(fastFolder, 'storeport-sqlite-'))
  let files = 0
  const sqlite = openingDatabase('SQLite', async () => `sqlite:${join(folder, `shop-${++files}.db`)}`)
  describe(`${about}: SQLite`, () => tests(sqlite, undefined))
  afterAll(async () => {
    await sqlite.closeAll()
    await rm(folder, { recursive: true, force: true })
  })
  await describePostgres(about, tests)
}

/**
 * Describes something of a real PostgreSQL server, which the tests start themselves. Where it cannot start, they are
 * skipped, and the reason is part of their name; with CI=true that is a failure.
 */
export async function describePostgres(
  about: string,
  tests: (database: TestDatabase, server: PostgresServer) => void,
): Promise<void> {
  const server = await startPostgres(['fsync=off', 'full_page_writes=off', 'max_connections=200']).catch(
    (error: unknown) => {
      if (process.env['CI'] === 'true') throw error
      return error instanceof Error ? error.message : 'no reason given'
    },
  )
  if (typeof server === 'string') {
    describe(`${about}: PostgreSQL`, () => it.skip(`does not start here: ${server}`, () => {}))
    return
  }
  const postgres = openingDatabase('PostgreSQL', server.createDatabase)
  describe(`${about}: PostgreSQL`, () => tests(postgres, server))
  afterAll(async () => {
    await postgres.closeAll()
    await server.stop()
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
