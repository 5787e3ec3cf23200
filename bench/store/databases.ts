import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '@storeport/rules'
import { openSqlStore, seedCustomers, type SqlStore } from '@storeport/store-sql'
import Libsql from 'libsql'
import { startPostgres } from '@storeport/testing/start-postgres'
import { mostRounds } from './first-day.ts'

/** A kind of database that stores are opened over. */
export interface BenchDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Opens a store with a number of made-up customers; returns its address, too. */
  open(customers: number, today: () => string): Promise<{ readonly store: SqlStore; readonly url: string }>
  /** Lets a server know how large the tables at an address are, and writes what has changed: its plans depend on it. */
  settle(url: string): Promise<void>
  /** Runs a statement that gives rows, at an address. */
  query(url: string, sql: string): Promise<readonly unknown[]>
  /** CPU time that the database has taken outside of this process, in microseconds. */
  cpuElsewhere(): Promise<number>
  /** Removes everything. */
  end(): Promise<void>
}

/** SQLite files in a folder of their own. */
export async function benchSqlite(): Promise<BenchDatabase> {
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

/** Databases of a PostgreSQL server with its default settings, but with enough memory for its pages. */
export async function benchPostgres(): Promise<BenchDatabase> {
  // Its own housekeeping would be counted with one side or the other.
  const server = await startPostgres([
    'shared_buffers=1GB',
    'max_wal_size=8GB',
    'checkpoint_timeout=1h',
    'autovacuum=off',
  ])
  const settle = async (url: string) => {
    await server.query('vacuum analyze', url)
    await server.query('checkpoint')
  }
  // One that has ended meanwhile has taken its time nevertheless.
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
      // The server's own processes work for the clients, too; the connection that asks does not.
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
  await seedCustomers(store, {
    count,
    // Nothing is due while the rounds of a run go from day to day.
    today: addDays(today(), mostRounds),
    onProgress: (done) => process.stderr.write(`\r${url.split(':', 1)[0]}: ${done} of ${count} customers  `),
  })
  process.stderr.write('\n')
  // What was written is on the disk before anything is measured.
  execFileSync('sync')
  return { store, url }
}

/** The CPU time of a process, in microseconds, `undefined` after its end; Linux counts it in nanoseconds. */
async function cpuOfProcess(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.split(' ', 1)[0]) / 1000
}
