import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { RedisOptions } from 'ioredis'
import type { OwnDatabase } from './own-tables.ts'
import type { PlatformKind } from './platform.ts'

/** API key that every shop accepts. */
export const apiKey = 'a-key-of-the-tests-0001'

/** Settings of a process that serves a shop. */
export interface ShopSettings {
  readonly shop:
    | { readonly kind: 'store-sql'; readonly url: string }
    | { readonly kind: 'own tables'; readonly database: OwnDatabase }
    | { readonly kind: 'platform'; readonly redis: RedisOptions }
  readonly platform: { readonly url: string; readonly kind: PlatformKind }
  readonly timeoutMs: number
}

let program: Promise<string> | undefined

export type Host = Awaited<ReturnType<typeof startHost>>

/** Starts a process that serves a shop, and waits until it listens. */
export async function startHost(settings: ShopSettings) {
  program ??= bundle()
  const child = fork(await program, [JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (log += data.toString()))
  const exited = once(child, 'exit')
  const failed = exited.then((): never => {
    throw new Error(`The host exited before it listened: ${log}`)
  })
  failed.catch(() => {})
  const [url]: unknown[] = await Promise.race([once(child, 'message'), failed])
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { child, url: String(url), log: () => log, kill }
}

/** Bundles the program into one file, because compiling the sources in each of the many processes is slow. */
async function bundle(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  // Node can resolve the packages that the bundle imports only in a folder of this repository.
  const outfile = join(root, 'node_modules', '.cache', 'storeport', 'shop-host.mjs')
  const own = outfile.replace(/mjs$/, `${process.pid}.mjs`)
  const entryPoints = [resolve(import.meta.dirname, 'shop-host.ts')]
  const format = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ entryPoints, ...format, outfile: own, tsconfig: join(root, 'tsconfig.json'), logLevel: 'error' })
  // Replaces the bundle atomically, because other test files build and run the same bundle concurrently.
  await rename(own, outfile)
  return outfile
}
