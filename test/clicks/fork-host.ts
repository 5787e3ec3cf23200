import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that serves a shop. */
export interface ForkedHost {
  readonly child: ChildProcess
  readonly url: string
  /** What it has written on the console. */
  log(): string
  /** Ends the process as a crash would, and waits until it is gone. */
  kill(): Promise<void>
  /** Waits until the process is gone. */
  readonly gone: Promise<unknown>
}

/** Starts a program with its settings as JSON, and waits until it sends where it listens. */
export async function forkHost(
  program: string,
  settings: object,
  { env = {}, execArgv = [] }: { readonly env?: Record<string, string>; readonly execArgv?: string[] } = {},
): Promise<ForkedHost> {
  const child = fork(program, [JSON.stringify(settings)], {
    execArgv,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (log += data.toString()))
  const gone = once(child, 'exit')
  const ended = gone.then((): never => {
    throw new Error(`the host ended before it listened: ${log}`)
  })
  const [url]: unknown[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  return { child, url: String(url), log: () => log, kill, gone }
}
