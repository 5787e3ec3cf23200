import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface ForkedHost {
  readonly child: ChildProcess
  readonly url: string
  log(): string
  /** Kills the process and waits for its exit. */
  kill(): Promise<void>
  /** Resolves when the process has exited. */
  readonly exited: Promise<unknown>
}

/** Starts a program with its settings as JSON, and waits until it sends its URL. */
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
  const exited = once(child, 'exit')
  const failed = exited.then((): never => {
    throw new Error(`The host exited before it listened: ${log}`)
  })
  const [url]: unknown[] = await Promise.race([once(child, 'message'), failed])
  failed.catch(() => {})
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { child, url: String(url), log: () => log, kill, exited }
}
