import { type IntegrationOptions, type Ledger, memoryLedger, type StorePort } from '@storeport/core'
import { deferred, integrationOf, key, send } from '../support.ts'

export const paths = {
  add: '/integration/upsells/add-product',
  undo: '/integration/upsells/undo-add-product',
  sendNow: '/integration/customer-portal/send-now',
} as const
export const customer = { email: 'a@b.example' }
export const beans = { ...customer, product_id: 'beans' }
export const named = { 'idempotency-key': 'click-1' }
export const minute = 60_000
export const hour = 60 * minute

/** Creates a memory ledger that counts its updates. The test sets the clock, unless the test passes `now`. */
export function watchLedger({ isYoung = false, now }: { isYoung?: boolean; now?: () => number } = {}) {
  const clock = { now: 0 }
  const seen = { updates: 0, losses: 0 }
  const awaited: { readonly updates: number; resolve(): void }[] = []
  const memory = memoryLedger({ now: now ?? (() => clock.now) })
  const ledger: Ledger = {
    update: (name, change) => {
      seen.updates += 1
      for (const { updates, resolve } of awaited) if (seen.updates >= updates) resolve()
      return memory.update(name, (stored, time) => {
        const changed = change(stored, time, isYoung)
        if (changed.hasLostData === true) seen.losses += 1
        return changed
      })
    },
  }
  /** Resolves when the ledger has received the given number of updates. */
  const reach = (updates: number): Promise<void> => {
    const reached = deferred<void>()
    awaited.push({ updates, resolve: () => reached.resolve() })
    return reached.promise
  }
  return { clock, seen, ledger, reach }
}

/** Creates an integration that collects failures, and a function that sends POST requests to the integration. */
export function integrate(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const errors: unknown[] = []
  const integration = integrationOf(store, { scope: 'my-shop', onError: (error) => errors.push(error), ...options })
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  return { integration, post, errors }
}

/** Creates a request whose caller disconnects when the signal aborts. */
export function leavingRequest(signal: AbortSignal): Request {
  return new Request(`https://shop.example${paths.add}`, {
    method: 'POST',
    headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(beans),
    signal,
  })
}
