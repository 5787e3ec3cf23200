import { resolve } from 'node:path'
import type { PlatformKind } from './platform.ts'
import { type Platform, startPlatform } from './platform.ts'
import { type Backend, type Change, type Customers, openBackend, type Storage } from './backends.ts'
import { forkHost, type ForkedHost } from './fork-host.ts'
import { apiKey, type ShopSettings } from './shop-settings.ts'

/** A kind of shop. */
export interface ShopRow {
  readonly kind: ShopSettings['shop']['kind']
  readonly storage: Storage
  /** Default: a platform that honours the idempotency key. */
  readonly platform?: PlatformKind
}

/** Response to a click. Status 0 means no response. */
export interface ClickResponse {
  readonly status: number
  readonly retryAfter: string | null
}

/** A click of a customer, without its repeats. */
export interface SentClick {
  readonly email: string
  readonly change: Change
  readonly name?: string | undefined
}

/** A shop with its storage and platform. */
export interface Shop {
  readonly backend: Backend
  readonly platform: Platform
  /** Starts a process that serves the shop. */
  start(): Promise<ForkedHost>
  /** Returns the number of effects of a change, in each place where the change has an effect. */
  effects(email: string, change: Change): Promise<readonly number[]>
  /** Stops the storage and the platform. */
  stop(): Promise<void>
}

export interface ShopOptions extends Customers {
  readonly timeoutMs: number
  readonly windowMs: number
  /** Environment of the processes and of the storage. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openShop(row: ShopRow, options: ShopOptions): Promise<Shop> {
  const { kind = 'honours' } = { kind: row.platform }
  const platform = await startPlatform(kind, 5)
  const backend = await openBackend(row.storage, row.kind, options)
  const { timeoutMs, windowMs, env } = options
  const settings: ShopSettings = { shop: backend.shop, platform: { url: platform.url, kind }, timeoutMs, windowMs }
  return {
    backend,
    platform,
    start: () => forkHost(resolve(import.meta.dirname, 'shop-host.ts'), settings, env),
    effects: async (email, change) => {
      const isCalled = change === 'gift' || row.kind === 'platform'
      const stored = await retry(() => backend.count(email, change))
      return [...(stored === undefined ? [] : [stored]), ...(isCalled ? [platform.count(email, change)] : [])]
    },
    stop: async () => {
      await backend.stop()
      await platform.stop()
    },
  }
}

/** Repeats a read of the storage while the storage is down. */
async function retry<Result>(read: () => Promise<Result>): Promise<Result> {
  const endsAt = performance.now() + 120_000
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (performance.now() > endsAt) throw error
      await new Promise((again) => setTimeout(again, 100))
    }
  }
}

const paths = {
  add: ['/upsells/add-product', 'product_id'],
  undo: ['/upsells/undo-add-product', 'product_id'],
  gift: ['/custom-action', 'action_id'],
} as const

/** Sends a click once. `timeoutMs` is the patience of the caller, in milliseconds. */
export async function send(url: string, click: SentClick, timeoutMs?: number): Promise<ClickResponse> {
  const { email, change, name } = click
  const [verb = '', product = 'gift'] = change.split(' ')
  const [path, field] = paths[verb === 'add' || verb === 'undo' ? verb : 'gift']
  const headers = {
    'x-integration-api-key': apiKey,
    'content-type': 'application/json',
    ...(name !== undefined && { 'idempotency-key': name }),
  }
  try {
    const response = await fetch(`${url}/integration${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, [field]: product }),
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    })
    await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch {
    return { status: 0, retryAfter: null }
  }
}
