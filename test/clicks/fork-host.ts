import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

export interface ForkedHost {
  readonly child: ChildProcess
  readonly url: string
  log(): string
  /** Kills the process and waits for its exit. */
  kill(): Promise<void>
  /** Resolves when the process has exited. */
  readonly exited: Promise<unknown>
}

/** Starts a TypeScript program with its settings as JSON, and waits until it sends its URL. */
export async function forkHost(
  source: string,
  settings: object,
  env: Readonly<Record<string, string>> = {},
): Promise<ForkedHost> {
  const program = programs.get(source) ?? bundle(source)
  programs.set(source, program)
  const child = fork(await program, [JSON.stringify(settings)], {
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

const programs = new Map<string, Promise<string>>()

/** Bundles a program into one file, because compiling the sources in each of the many hosts is slow. */
async function bundle(source: string): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  // Node can resolve the packages that the bundle imports only in a folder of this repository.
  const outfile = join(root, 'node_modules', '.cache', 'storeport', basename(source).replace(/ts$/, 'mjs'))
  const own = outfile.replace(/mjs$/, `${process.pid}.mjs`)
  await build({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: own,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  })
  // Replaces the bundle atomically, because other test files build and run the same bundle concurrently.
  await rename(own, outfile)
  return outfile
}
