import { once } from 'node:events'
import { resolve } from 'node:path'
import { forkHost } from './fork-host.ts'
import type { PlatformKind } from './platform-store.ts'
import { key } from './shop.ts'

/** Settings of a host. For omitted settings, the defaults of the packages apply. */
export interface HostSettings {
  /** URL of the database. If omitted, the shop is a platform that implements only `addProduct`. */
  readonly url?: string | undefined
  /** Socket of the Redis server for the ledger. Default: the ledger of the store. */
  readonly redis?: string | undefined
  /** How the platform prevents a second effect of a click. Default: `reconcile`. */
  readonly platform?: PlatformKind | undefined
  /** Current date of the store. Default: the date of the system clock. */
  readonly today?: string | undefined
  /** Duration in which StorePort replays the success of a click, in milliseconds. */
  readonly windowMs?: number | undefined
  /** Timeout of a store method, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of connections to PostgreSQL. */
  readonly poolSize?: number | undefined
  /** Timeout of a statement or of a wait for a lock, in milliseconds. */
  readonly statementTimeoutMs?: number | undefined
  /** Operation with effects outside the database. Default: none. */
  readonly outside?: 'addProduct' | 'action' | undefined
  /** File that records the effects outside the database. */
  readonly effects?: string | undefined
}

/** Response from a host. Status 0 means no response. */
export interface ClickResponse {
  readonly status: number
  /** `error.code` of the response, or an empty string for a success. */
  readonly code: string
  /** Whether the response is a replay for the same `Idempotency-Key`. */
  readonly replayed: boolean
  /** `Retry-After` header, in seconds. */
  readonly retryAfter: string | null
  /** Duration of the request, in milliseconds. */
  readonly tookMs: number
}

/** A child process that serves a shop. */
export interface ClickHost {
  /** Sends a click. Resolves with status 0 instead of throwing if no response arrives. */
  send(path: ClickPath, body: object, idempotencyKey?: string): Promise<ClickResponse>
  /** Kills the process after this number of further SQLite statements. */
  killAfter(statements: number): Promise<void>
  /** Returns the number of SQLite statements since `killAfter`. */
  statements(): Promise<number>
  /** Kills the process and waits for its exit. */
  kill(): Promise<void>
  /** Resolves when the process has exited. */
  readonly exited: Promise<unknown>
}

export type ClickPath =
  | '/upsells/add-product'
  | '/upsells/undo-add-product'
  | '/customer-portal/send-now'
  | '/custom-action'

/** Starts a host with optional environment variables, and waits until it listens. */
export async function startClickHost(settings: HostSettings, env: Record<string, string> = {}): Promise<ClickHost> {
  const { child, url, exited, kill } = await forkHost(resolve(import.meta.dirname, 'click-host.ts'), settings, env)
  const exchangeNumber = async (number: number) => {
    child.send(number)
    const [reply]: unknown[] = await once(child, 'message')
    return Number(reply)
  }
  return {
    exited,
    kill,
    send: (path, body, idempotencyKey) => post(`${url}/integration${path}`, body, idempotencyKey),
    killAfter: async (statements) => void (await exchangeNumber(statements)),
    statements: () => exchangeNumber(0),
  }
}

async function post(url: string, body: object, idempotencyKey?: string): Promise<ClickResponse> {
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
    return { status: 0, code: 'no_response', replayed: false, retryAfter: null, tookMs: tookMs() }
  }
}
