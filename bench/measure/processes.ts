import { execFileSync, fork, type Serializable, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

/** Output of `taskset`, which lists the processors available to this process; Linux only. */
const listed = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' })
const [, all = ''] = /list: (\S+)/.exec(listed.stdout ?? '') ?? []
const [first, second] = all.split(',').flatMap((range) => {
  const [from = Number.NaN, to = from] = range.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
})

/** Moves this process (the load generator) and its future children away from the processor of measured processes. */
export function leaveProcessor(): void {
  if (second !== undefined) keepOn(String(first))
}

/** Allows this process and its future children to use all processors. */
export function useAllProcessors(): void {
  if (second !== undefined) keepOn(all)
}

function keepOn(processors: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', processors, String(process.pid)], { stdio: 'ignore' })
}

/** Bundles a program from `bench/variants` with StorePort, but without dependencies. Returns the path of the bundle. */
export async function compile(variant: string): Promise<string> {
  const outdir = resolve('node_modules/.cache/storeport-bench', variant)
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [`bench/variants/${variant}.ts`],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Keeps dynamic imports lazy.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return join(outdir, `${basename(variant)}.mjs`)
}

/**
 * Starts a compiled program and waits for its first message, which contains the port. If at least two processors are
 * available, a pinned program gets its own processor.
 */
export async function startProcess(file: string, environment: NodeJS.ProcessEnv, isPinned: boolean) {
  if (isPinned) leaveProcessor()
  const [program, ...args] = isPinned && second !== undefined ? ['taskset', '-c', String(second)] : []
  const child = fork(file, {
    // Does not inherit the Node flags of this process, because a TypeScript loader would add CPU time to the variants.
    execArgv: program === undefined ? [] : [...args, process.execPath],
    ...(program !== undefined && { execPath: program }),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
  })
  const exit = once(child, 'exit')
  const failure = exit.then(([code]): never => {
    throw new Error(`${child.spawnargs.join(' ')} exited with ${code}`)
  })
  failure.catch(() => {})
  const reply = async (): Promise<number> => {
    const waiting = new AbortController()
    try {
      const [message] = await Promise.race([once(child, 'message', { signal: waiting.signal }), failure])
      return Number(message)
    } finally {
      waiting.abort()
    }
  }
  return {
    /** Port of the server; 0 if the program is not a server. */
    port: await reply(),
    pid: child.pid ?? 0,
    /** Sends a message to the program and returns the reply, which is a CPU time in microseconds. */
    order: (order: Serializable) => {
      child.send(order)
      return reply()
    },
    /** Kills the process and waits until it has exited. */
    end: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}
