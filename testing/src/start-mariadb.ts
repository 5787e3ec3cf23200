import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { missingProgram } from './missing-program.ts'
import { startLine } from './run-as-user.ts'

const program = '/usr/sbin/mariadbd'

/** Reason to skip the tests that need MariaDB, if any. */
export const noMariadb = missingProgram(program)

/** A MariaDB server for one test, with an empty database. */
export interface MariadbServer {
  /** Connection options for mysql2. */
  readonly connection: { readonly socketPath: string; readonly user: string; readonly database: string }
  /** Kills the server and starts it again with its data. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Starts Debian's MariaDB on a socket in its own folder. */
export async function startMariadb(settings: readonly string[] = []): Promise<MariadbServer> {
  // The folder name is short, because a socket path is limited to about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'maria-'))
  const socketPath = join(folder, 'socket')
  const { username } = userInfo()
  // The temporary folder is its own: a starting server removes the temporary tables it finds there.
  const own = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--tmpdir=${folder}`, `--user=${username}`]
  const authentication = ['--auth-root-authentication-method=normal', '--skip-test-db']
  await promisify(execFile)('/usr/bin/mariadb-install-db', [...own, ...authentication])
  // Commits do not wait for the disk, because the data does not need to survive a crash of the machine.
  const fast = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M', '--skip-log-bin']
  const line = [program, ...own, `--socket=${socketPath}`, '--skip-networking', ...fast, ...settings].join(' ')
  const start = () => startLine(folder, line, process.env, /ready for connections/i)
  let server = await start()
  const create = ['--no-defaults', `--socket=${socketPath}`, '-e', 'create database shop']
  await promisify(execFile)('/usr/bin/mariadb', create)
  return {
    connection: { socketPath, user: 'root', database: 'shop' },
    restart: async () => {
      await server.stop('SIGKILL')
      server = await start()
    },
    stop: async () => {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
