import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { key } from './send.ts'

const main = resolve(import.meta.dirname, '../../packages/host/src/main.ts')
const repository = resolve(import.meta.dirname, '../..')

/** Creates a temporary data folder for one host. */
export function dataFolder(): Promise<string> {
  return makeFolder('storeport')
}

/**
 * Runs the `storeport` command from source, as `npm start` does. The process inherits only PATH from the environment.
 * If `nodeArgs` are set, for example to `resourceUsageArgs`, the process has an `ipc` channel. `stdout` can be a file
 * descriptor, whose output is not collected.
 */
export function run(
  env: Record<string, string>,
  args: readonly string[] = [],
  nodeArgs?: readonly string[],
  stdout: number | 'pipe' = 'pipe',
) {
  const child = spawn(process.execPath, [...(nodeArgs ?? ['--import', 'tsx']), main, ...args], {
    cwd: repository,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', stdout, 'pipe', nodeArgs ? 'ipc' : 'ignore'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (data: Buffer) => (output.stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (output.stderr += data.toString()))
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...output }))
  return { child, output, exited }
}

/** Starts a host on a free port and waits until it has printed its URL. */
export async function startHostProcess(env: Record<string, string>, args: string[] = [], nodeArgs?: readonly string[]) {
  const started = run({ PORT: '0', ...env }, args, nodeArgs)
  await new Promise<void>((listening, failed) => {
    started.child.stdout?.on('data', () => started.output.stdout.includes('Try') && listening())
    void started.exited.then(({ stderr }) => failed(new Error(`The host exited: ${stderr}`)))
  })
  const url = /listens on (\S+)/.exec(started.output.stdout)?.[1] ?? ''
  return { ...started, url }
}

/**
 * Starts a host with the key of the tests and a new data folder, unless `env` contains others. Ends the process after the
 * test.
 */
export async function hostForTest(env: Record<string, string> = {}, nodeArgs?: readonly string[]) {
  const settings = { STOREPORT_DATA: await dataFolder(), STOREPORT_API_KEYS: key, ...env }
  const host = await startHostProcess(settings, [], nodeArgs)
  const crash = () => {
    host.child.kill('SIGKILL')
    return host.exited
  }
  onTestFinished(() => void host.child.kill('SIGKILL'))
  return {
    ...host,
    crash,
    /** Stops the host; returns its exit code and log. */
    stop: async () => {
      host.child.kill('SIGTERM')
      const { stdout, code } = await host.exited
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
      return { code, lines: lines.map((line): Record<string, unknown> => JSON.parse(line)), text: lines.join('\n') }
    },
  }
}
