import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { missingProgram } from './missing-program.ts'
import { startLine } from './run-as-user.ts'

const program = '/usr/sbin/pgbouncer'

/** Reason to skip the tests that need PgBouncer, if any. */
export const noPgbouncer = missingProgram(program)

/** Starts PgBouncer on a socket in front of a database. Returns the URL of the pooler, and a function that stops it. */
export async function startPgbouncer(database: string, mode: 'session' | 'transaction') {
  const { searchParams, pathname, username, password } = new URL(database)
  const folder = await makeFolder('pooler')
  await chmod(folder, 0o777)
  const server = `host=${searchParams.get('host')} dbname=${pathname.slice(1)} user=${username} password=${password}`
  const settings = ['listen_addr =', `unix_socket_dir = ${folder}`, 'auth_type = any', `pool_mode = ${mode}`]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, ['[databases]', `shop = ${server}`, '[pgbouncer]', ...settings].join('\n'))
  // PgBouncer does not start as root.
  const as = process.getuid?.() === 0 ? '-u postgres ' : ''
  const { stop } = await startLine(folder, `${program} ${as}${file}`, process.env, /process up/)
  return {
    url: `postgres://storeport@localhost/shop?host=${encodeURIComponent(folder)}&port=6432`,
    stop: async () => {
      await stop('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
