import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingProgram } from './missing-program.ts'

const program = '/usr/bin/redis-server'

/** Reason to skip the tests that need Redis, if any. */
export const noRedis = missingProgram(program)

/** A Redis server for one test. */
export interface RedisServer {
  /** Path of the server's socket. */
  readonly path: string
  /** Kills the server, as in a crash. */
  kill(): Promise<void>
  /** Starts the server again with the data on disk. */
  start(): Promise<void>
  /** Suspends the server until `resume`. Its connections stay open. */
  freeze(): void
  resume(): void
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Starts Debian's Redis on a socket in its own folder, with additional command-line settings. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-redis-'))
  const path = join(folder, 'socket')
  // With `appendfsync always`, Redis writes each change to disk before it responds.
  const own = ['--port', '0', '--unixsocket', path, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always']
  let server: ChildProcess | undefined
  const kill = async () => {
    const ended = server
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return
    ended.kill('SIGKILL')
    await once(ended, 'close')
  }
  const start = async () => {
    server = await startServer([...own, ...settings])
  }
  await start()
  return {
    path,
    kill,
    start,
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    stop: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a Redis server and waits until it accepts connections. */
export async function startServer(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      if (/ready to accept connections/i.test(output)) resolve()
    })
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.once('error', reject)
    child.once('close', () => reject(new Error(`Redis exited:\n${output}`)))
  })
  return child
}
