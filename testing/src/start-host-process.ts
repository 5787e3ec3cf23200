import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const main = resolve(import.meta.dirname, '../../packages/host/src/main.ts')
const repository = resolve(import.meta.dirname, '../..')

/** A folder of its own for what one host keeps. */
export function dataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'storeport-'))
}

/**
 * Runs the `storeport` command from source, as `npm start` does, without anything of this process's environment but PATH; with
 * a channel for messages where Node has arguments of its own that answer them (`resourceUsageArgs`).
 */
export function run(env: Record<string, string>, args: string[] = [], nodeArgs?: readonly string[]) {
  const child = spawn(process.execPath, [...(nodeArgs ?? ['--import', 'tsx']), main, ...args], {
    cwd: repository,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', nodeArgs ? 'ipc' : 'ignore'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (data: Buffer) => (output.stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (output.stderr += data.toString()))
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...output }))
  return { child, output, exited }
}

/** Starts a host on a free port and waits until it has said where it listens. */
export async function startHostProcess(env: Record<string, string>, args: string[] = [], nodeArgs?: readonly string[]) {
  const started = run({ PORT: '0', ...env }, args, nodeArgs)
  await new Promise<void>((listening, failed) => {
    started.child.stdout?.on('data', () => started.output.stdout.includes('Try') && listening())
    void started.exited.then(({ stderr }) => failed(new Error(`the host ended: ${stderr}`)))
  })
  const url = /listens on (\S+)/.exec(started.output.stdout)?.[1] ?? ''
  return { ...started, url }
}
