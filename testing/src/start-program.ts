import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { keys } from './keys.ts'

/** A running program and the URL that it printed. */
export interface RunningProgram {
  readonly url: string
  /** Terminates the program and its child processes. */
  stop(): Promise<void>
  /** Kills the program immediately, as in a crash. */
  kill(): Promise<void>
}

/** Runs `npm start` for an example on a free port. Some examples build first. */
export function startExample(name: string, more: Readonly<Record<string, string>> = {}): Promise<RunningProgram> {
  return startProgram('npm', ['start', '--prefix', `examples/${name}`], { STOREPORT_API_KEY: keys.first, ...more })
}

/** Starts a program on a free port (`PORT=0`), and waits until the program has printed its URL. */
export async function startProgram(
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = { STOREPORT_API_KEY: keys.first },
): Promise<RunningProgram> {
  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DENO_NO_UPDATE_CHECK: '1',
    PORT: '0',
    ...more,
  } as const
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Creates a process group, so that the child processes of npm can be terminated.
    detached: true,
  })
  return {
    url: await printedUrl(child),
    stop: () => endGroup(child, 'SIGTERM'),
    kill: () => endGroup(child, 'SIGKILL'),
  }
}

function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
        const url = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0]
        if (url !== undefined) resolve(url)
      })
    }
    child.once('error', reject)
    child.once('close', () => reject(new Error(`The program exited before it listened:\n${output}`)))
  })
}

async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const closed = once(child, 'close')
  process.kill(-child.pid, signal)
  await closed
}
