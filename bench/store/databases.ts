import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlStore, seedCustomers, type SqlStore } from '@storeport/store-sql'
import { startPostgres } from '@storeport/testing/start-postgres'

/** A kind of database that stores are opened over. */
export interface BenchDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Opens a store with a number of made-up customers; returns its address, too. */
  open(customers: number, today: () => string): Promise<{ readonly store: SqlStore; readonly url: string }>
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
    open: (customers, today) => seeded(`sqlite:${join(folder, `${++files}.db`)}`, customers, today),
    cpuElsewhere: async () => 0,
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Databases of a PostgreSQL server with its default settings, but with enough memory for its pages. */
export async function benchPostgres(): Promise<BenchDatabase> {
  // Its own housekeeping would be counted with one side or the other.
  const server = await startPostgres(['shared_buffers=1GB', 'max_wal_size=8GB', 'autovacuum=off'])
  return {
    name: 'PostgreSQL',
    open: async (customers, today) => {
      const opened = await seeded(await server.createDatabase(), customers, today)
      await server.query('vacuum analyze', opened.url)
      await server.query('checkpoint')
      return opened
    },
    cpuElsewhere: async () => {
      const rows = await server.query(`select pid from pg_stat_activity where application_name = 'storeport'`)
      const times = await Promise.all(rows.map(({ pid }) => cpuOfProcess(Number(pid))))
      return times.reduce((sum, time) => sum + time, 0)
    },
    end: () => server.stop(),
  }
}

async function seeded(url: string, count: number, today: () => string) {
  const store = await openSqlStore({ url, today, seed: 'if-empty', poolSize: 1 })
  await seedCustomers(store, {
    count,
    today: today(),
    onProgress: (done) => process.stderr.write(`\r${url.split(':', 1)[0]}: ${done} of ${count} customers  `),
  })
  process.stderr.write('\n')
  // What was written is on the disk before anything is measured.
  execFileSync('sync')
  return { store, url }
}

/** The CPU time of a process, in microseconds; Linux counts it in nanoseconds. */
async function cpuOfProcess(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1000
}
