import { setTimeout as pause } from 'node:timers/promises'
import { type Change, openBackend, type Storage } from './backends.ts'
import { type PlatformKind, startPlatform } from './platform.ts'
import { apiKey, type ShopSettings, startHost } from './start-host.ts'

/** A kind of shop. */
export interface ShopRow {
  readonly kind: ShopSettings['shop']['kind']
  readonly storage: Storage
  readonly platform?: PlatformKind
}

/** A click of a customer. All its repeats are equal. */
export interface SentClick {
  readonly email: string
  readonly change: Change
  readonly name: string | undefined
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** Opens a shop with its storage and platform. */
export async function openShop(
  row: ShopRow,
  { customers, timeoutMs }: { readonly customers: number; readonly timeoutMs: number },
) {
  const { platform: kind = 'honours' } = row
  const platform = await startPlatform(kind)
  const backend = await openBackend(row.storage, row.kind, customers)
  const settings: ShopSettings = { shop: backend.shop, platform: { url: platform.url, kind }, timeoutMs }
  return {
    backend,
    platform,
    /** Starts a process that serves the shop. */
    start: () => startHost(settings),
    /** Returns the number of effects of a change, in each place where the change has an effect. */
    effects: async (email: string, change: Change): Promise<readonly number[]> => {
      const stored =
        row.kind === 'platform' ? [] : [await repeatUntil(() => backend.count(email, change).catch(() => undefined))]
      const isCalled = change === 'gift' || change === 'send now' || row.kind === 'platform'
      return isCalled ? [...stored, platform.count(email, change)] : stored
    },
    stop: async () => {
      await backend.stop()
      await platform.stop()
    },
  }
}

/** Repeats an attempt until it returns a result, for at least 3 minutes. `explain` returns details for the error. */
export async function repeatUntil<Result>(
  attempt: () => Promise<Result | undefined>,
  explain = () => '',
): Promise<Result> {
  const endsAt = performance.now() + 180_000
  for (;;) {
    const result = await attempt()
    if (result !== undefined) return result
    if (performance.now() > endsAt) throw new Error(`No result after 3 minutes. ${explain()}`)
    await pause(50 + Math.random() * 100)
  }
}

/** Sends a click once. Status 0 means no response. `timeoutMs` is the patience of the caller, in milliseconds. */
export async function send(url: string, { email, change, name }: SentClick, timeoutMs = 60_000) {
  const [verb, product = 'gift'] = change.split(' ')
  const paths = { add: 'upsells/add-product', undo: 'upsells/undo-add-product', send: 'customer-portal/send-now' }
  const path = { ...paths, gift: 'custom-action' }[String(verb)]
  const field = change === 'gift' ? 'action_id' : 'product_id'
  const named = name !== undefined && { 'idempotency-key': name }
  try {
    const response = await fetch(`${url}/integration/${path}`, {
      method: 'POST',
      headers: { 'x-integration-api-key': apiKey, 'content-type': 'application/json', ...named },
      body: JSON.stringify({ email, [field]: product }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  } catch {
    return { status: 0, retryAfter: null }
  }
}
