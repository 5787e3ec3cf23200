import { resolve } from 'node:path'
import { type Backend, type Change, openBackend, type Storage } from './backends.ts'
import { forkHost, type ForkedHost } from './fork-host.ts'
import { type Platform, type PlatformKind, startPlatform } from './platform.ts'
import { apiKey, type ShopSettings } from './shop-settings.ts'

/** A kind of shop. */
export interface ShopRow {
  readonly kind: ShopSettings['shop']['kind']
  readonly storage: Storage
  /** Default: `honours`. */
  readonly platform?: PlatformKind
}

/** A click of a customer. All its repeats are equal. */
export interface SentClick {
  readonly email: string
  readonly change: Change
  readonly name: string | undefined
}

/** A shop with its storage and platform. */
export interface Shop {
  readonly backend: Backend
  readonly platform: Platform
  /** Starts a process that serves the shop. */
  start(): Promise<ForkedHost>
  /** Returns the number of effects of a change, in each place where the change has an effect. */
  effects(email: string, change: Change): Promise<readonly number[]>
  stop(): Promise<void>
}

export interface ShopOptions extends Pick<ShopSettings, 'timeoutMs' | 'windowMs'> {
  readonly customers: number
  /** Environment of the processes. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openShop(row: ShopRow, options: ShopOptions): Promise<Shop> {
  const { timeoutMs, windowMs, env, customers } = options
  const { platform: kind = 'honours' } = row
  const platform = await startPlatform(kind)
  const backend = await openBackend(row.storage, row.kind, customers)
  const settings: ShopSettings = { shop: backend.shop, platform: { url: platform.url, kind }, timeoutMs, windowMs }
  return {
    backend,
    platform,
    start: () => forkHost(resolve(import.meta.dirname, 'shop-host.ts'), settings, env),
    effects: async (email, change) => {
      const stored = row.kind === 'platform' ? [] : [await untilUp(() => backend.count(email, change))]
      return change === 'gift' || row.kind === 'platform' ? [...stored, platform.count(email, change)] : stored
    },
    stop: async () => {
      await backend.stop()
      await platform.stop()
    },
  }
}

/** Repeats a read of the storage while the storage is down. */
async function untilUp<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; ; turn++) {
    try {
      return await read()
    } catch (error) {
      if (turn > 1000) throw error
      await new Promise((again) => setTimeout(again, 100))
    }
  }
}

const paths = {
  add: ['/upsells/add-product', 'product_id'],
  undo: ['/upsells/undo-add-product', 'product_id'],
  gift: ['/custom-action', 'action_id'],
} as const

/** Sends a click once. Status 0 means no response. `timeoutMs` is the patience of the caller, in milliseconds. */
export async function send(url: string, { email, change, name }: SentClick, timeoutMs?: number) {
  const [verb, product = 'gift'] = change.split(' ')
  const [path, field] = paths[verb === 'add' || verb === 'undo' ? verb : 'gift']
  const named = name !== undefined && { 'idempotency-key': name }
  try {
    const response = await fetch(`${url}/integration${path}`, {
      method: 'POST',
      headers: { 'x-integration-api-key': apiKey, 'content-type': 'application/json', ...named },
      body: JSON.stringify({ email, [field]: product }),
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
    })
    await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch {
    return { status: 0, retryAfter: null }
  }
}
