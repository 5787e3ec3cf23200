import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { missingProgram } from './missing-program.ts'
import { startLine } from './run-as-user.ts'

const program = '/usr/bin/redis-server'

/** Reason to skip the tests that need Redis, if any. */
export const noRedis = missingProgram(program)

/** Starts Debian's Redis on a socket in its own folder. */
export async function startRedis() {
  const folder = await makeFolder('redis')
  const path = join(folder, 'socket')
  // With `appendfsync always`, Redis writes each change to disk before it responds.
  const settings = `--port 0 --unixsocket ${path} --appendonly yes --appendfsync always`
  let server = await startServer(folder, settings)
  return {
    /** Path of the server's socket. */
    path,
    /** Kills the server, as in a crash. */
    kill: () => server.stop('SIGKILL'),
    /** Starts the server again with the data on disk. */
    start: async () => {
      server = await startServer(folder, settings)
    },
    /** Stops the server and removes its data. */
    stop: async () => {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a Redis server with its data in a folder, and waits until it accepts connections. */
export function startServer(folder: string, settings: string) {
  return startLine(folder, `${program} ${settings}`, process.env, /ready to accept connections/i)
}
