import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { forkHost } from './fork-host.ts'
import type { PlatformKind } from './platform-store.ts'
import { key } from './shop.ts'

/** How a host is started; what is left out is as the packages have it. */
export interface HostSettings {
  /** URL of the database. Without a database the shop is a platform that only has `addProduct`. */
  readonly url?: string | undefined
  /** Socket of the Redis server that is the ledger; default the store's ledger. */
  readonly redis?: string | undefined
  /** How the platform prevents a second effect; default `reconcile`. */
  readonly platform?: PlatformKind | undefined
  /** The store's date; default the clock's. */
  readonly today?: string | undefined
  /** For how long a repeat of a success is answered without running it, in milliseconds. */
  readonly windowMs?: number | undefined
  /** Time for a store method, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number | undefined
  /** How long one statement, or the wait for a lock, may take, in milliseconds. */
  readonly statementTimeoutMs?: number | undefined
  /** What has its effects outside of the database; default nothing. */
  readonly outside?: 'addProduct' | 'action' | undefined
  /** The file of these effects. */
  readonly effects?: string | undefined
}

/** What a host answered; status 0 is no answer at all. */
export interface ClickAnswer {
  /** The HTTP status. */
  readonly status: number
  /** `error.code`, or nothing where there is no error. */
  readonly code: string
  /** Whether it was the replay of a call with the same `Idempotency-Key`. */
  readonly replayed: boolean
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: string | null
  /** How long it took, in milliseconds. */
  readonly tookMs: number
}

/** A process of its own that serves a shop. */
export interface ClickHost {
  /** Sends a click; never throws. */
  send(path: ClickPath, body: object, idempotencyKey?: string): Promise<ClickAnswer>
  /** Has the process killed after so many statements over SQLite from now. */
  killAfter(statements: number): Promise<void>
  /** How many statements over SQLite there were since `killAfter`. */
  statements(): Promise<number>
  /** Ends the process as a crash would, and waits until it is gone. */
  kill(): Promise<void>
  /** Waits until the process is gone. */
  readonly gone: Promise<unknown>
}

/** The calls that these tests make. */
export type ClickPath =
  | '/upsells/add-product'
  | '/upsells/undo-add-product'
  | '/customer-portal/send-now'
  | '/custom-action'

/** Starts a host, with more in its environment if a test says so, and waits until it listens. */
export async function startClickHost(settings: HostSettings, env: Record<string, string> = {}): Promise<ClickHost> {
  program ??= bundleHost()
  const { child, url, gone, kill } = await forkHost(await program, settings, { env })
  const ask = async (number: number) => {
    child.send(number)
    const [answer]: unknown[] = await once(child, 'message')
    return Number(answer)
  }
  return {
    gone,
    kill,
    send: (path, body, idempotencyKey) => post(`${url}/integration${path}`, body, idempotencyKey),
    killAfter: async (statements) => void (await ask(statements)),
    statements: () => ask(0),
  }
}

let program: Promise<string> | undefined

/** Makes one file of the host and what it runs: so many are started that compiling each anew would take most of the time. */
async function bundleHost(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  // Where the packages that it needs are found.
  const outfile = join(root, 'node_modules', '.cache', 'storeport', 'click-host.mjs')
  const own = outfile.replace(/mjs$/, `${process.pid}.mjs`)
  await build({
    entryPoints: [resolve(import.meta.dirname, 'click-host.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: own,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  })
  // Other files of tests make the same at the same time, and start it.
  await rename(own, outfile)
  return outfile
}

async function post(url: string, body: object, idempotencyKey?: string): Promise<ClickAnswer> {
  const startedAt = performance.now()
  const tookMs = () => performance.now() - startedAt
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'x-integration-api-key': key,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
    const { status, headers } = response
    const retryAfter = headers.get('retry-after')
    return { status, code, replayed: headers.has('idempotency-replayed'), retryAfter, tookMs: tookMs() }
  } catch {
    return { status: 0, code: 'no_answer', replayed: false, retryAfter: null, tookMs: tookMs() }
  }
}
