import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingProgram } from './missing-program.ts'

const program = '/usr/bin/redis-server'

/** Why tests over Redis cannot run here, if they cannot. */
export const noRedis = missingProgram(program)

/** A Redis server of a test's own. */
export interface RedisServer {
  /** The socket that it listens on. */
  readonly path: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again, over what it has written. */
  start(): Promise<void>
  /** Lets it answer nobody until `resume`, while its connections stay open. */
  freeze(): void
  /** Lets it go on. */
  resume(): void
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

/** Starts Debian's Redis on a socket in a folder of its own, with settings as its command line takes them. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-redis-'))
  const path = join(folder, 'socket')
  // Every write is on the disk before it is answered.
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

/** Starts a server and waits until it takes connections. */
export async function startServer(words: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      if (/ready to accept connections/i.test(output)) resolve()
    })
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.once('error', reject)
    child.once('close', () => reject(new Error(`Redis ended:\n${output}`)))
  })
  return child
}
