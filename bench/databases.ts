import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '@storeport/rules'
import { customerSample, openSqlStore, seedCustomers, type SqlStore } from '@storeport/store-sql'
import { startPostgres } from '@storeport/testing/start-postgres'
import Libsql from 'libsql'
import { firstDay } from './shop.ts'

/** Maximum number of days in a run, with one day per round. No generated subscription is billed on these days. */
export const maxDays = 120

/** A database system on which a section runs. */
export interface BenchDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Creates a database with generated customers and opens a store on it. */
  open(customers: number, today: () => string): Promise<{ readonly store: SqlStore; readonly url: string }>
  /** Updates the table statistics and writes changed pages to disk. */
  settle(url: string): Promise<void>
  /** Runs a statement and returns its rows. */
  query(url: string, sql: string): Promise<readonly unknown[]>
  /** Returns the CPU time of the database server's processes, in microseconds; 0 for SQLite. */
  cpuElsewhere(): Promise<number>
  /** Deletes the data, and stops the database server. */
  end(): Promise<void>
}

/** Runs a section on each database and returns all rows. A quick run uses only SQLite. */
export async function onEach(full: boolean, run: (database: BenchDatabase) => Promise<string[][]>) {
  const rows: string[][] = []
  for (const start of full ? [benchSqlite, benchPostgres] : [benchSqlite]) {
    const database = await start()
    rows.push(...(await run(database).finally(() => database.end())))
  }
  return rows
}

async function benchSqlite(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-bench-'))
  let files = 0
  return {
    name: 'SQLite',
    query: async (url, sql) => {
      const file = new Libsql(url.slice('sqlite:'.length))
      try {
        return file.prepare(sql).all()
      } finally {
        file.close()
      }
    },
    open: (customers, today) => seeded(`sqlite:${join(folder, `${++files}.db`)}`, customers, today),
    settle: async () => {},
    cpuElsewhere: async () => 0,
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts PostgreSQL with more memory and less background work than by default, so that CPU times vary less. */
async function benchPostgres(): Promise<BenchDatabase> {
  const settings = ['shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=1h', 'autovacuum=off']
  const server = await startPostgres(settings)
  const settle = async (url: string) => {
    await server.query('vacuum analyze', url)
    await server.query('checkpoint')
  }
  // Latest CPU time by process id. Includes processes that have ended.
  const times = new Map<number, number>()
  return {
    name: 'PostgreSQL',
    open: async (customers, today) => {
      const opened = await seeded(await server.createDatabase(), customers, today)
      await settle(opened.url)
      return opened
    },
    settle,
    query: (url, sql) => server.query(sql, url),
    cpuElsewhere: async () => {
      // Selects all processes of the server except the process that runs this query.
      const rows = await server.query(
        `select pid from pg_stat_activity where application_name <> '' or backend_type <> 'client backend'`,
      )
      for (const pid of rows.map((row) => Number(row['pid']))) {
        const time = await cpuOfProcess(pid)
        if (time !== undefined) times.set(pid, time)
      }
      return [...times.values()].reduce((sum, time) => sum + time, 0)
    },
    end: () => server.stop(),
  }
}

async function seeded(url: string, count: number, today: () => string) {
  const store = await openSqlStore({ url, today, seed: 'if-empty', poolSize: 1 })
  await seedCustomers(store, { count, today: addDays(today(), maxDays) })
  execFileSync('sync')
  return { store, url }
}

/** Returns the CPU time of a process in microseconds; `undefined` if the process has ended. */
async function cpuOfProcess(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.split(' ', 1)[0]) / 1000
}

/** Returns the emails of `count` customers with an active subscription, spread over all `among` generated customers. */
export function activeCustomers(count: number, among: number, seed: number): readonly string[] {
  const product = [{ id: 'test_12345', price_minor: 1995 }]
  const emails = new Set<string>()
  // Visits each customer once, because the stride and the number of customers have no common divisor.
  const stride = 611_953 % among || 1
  for (let at = (seed * 7919) % among; emails.size < count; at = (at + stride) % among) {
    const { customer, subscriptions } = customerSample(at + 1, firstDay, product)
    if (subscriptions.some(({ status }) => status === 'active')) emails.add(customer.email)
  }
  return [...emails]
}
