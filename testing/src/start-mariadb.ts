import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './make-folder.ts'
import { missingProgram } from './missing-program.ts'
import { startLine } from './run-as-user.ts'

const program = '/usr/sbin/mariadbd'

/** Reason to skip the tests that need MariaDB, if any. */
export const noMariadb = missingProgram(program)

/** Starts Debian's MariaDB on a socket in its own folder, with an empty database. */
export async function startMariadb(settings: readonly string[] = []) {
  // The folder name is short, because a socket path is limited to about 100 characters.
  const folder = await makeFolder('maria')
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
    /** Connection options for mysql2. */
    connection: { socketPath, user: 'root', database: 'shop' },
    /** Kills the server and starts it again with its data. */
    restart: async () => {
      await server.stop('SIGKILL')
      server = await start()
    },
    /** Stops the server and removes its data. */
    stop: async () => {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
