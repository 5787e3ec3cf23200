import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { keys } from './keys.ts'

/** A program that was started and says where it listens. */
export interface RunningProgram {
  readonly url: string
  /** Ends it, and whatever it has started. */
  stop(): Promise<void>
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
}

/** Starts an example as its readers do, on a free port; `npm start` may build first. */
export function startExample(name: string, more: Readonly<Record<string, string>> = {}): Promise<RunningProgram> {
  return startProgram('npm', ['start', '--prefix', `examples/${name}`], { STOREPORT_API_KEY: keys.first, ...more })
}

/** Starts a program that reads `PORT`, by default with the key of the tests, and waits until it has printed its address. */
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
    // A process group of its own, so that what npm has started can be ended with it.
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
    child.once('close', () => reject(new Error(`ended before it listened:\n${output}`)))
  })
}

async function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const closed = once(child, 'close')
  process.kill(-child.pid, signal)
  await closed
}
