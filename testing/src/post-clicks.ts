import { createIntegration, type Ledger, type StorePort } from '@storeport/core'
import { keys } from './keys.ts'
import { send } from './send.ts'

/** Status and retry headers of the response to a click. */
export interface ClickResponse {
  readonly status: number
  readonly replayed: string | null
  readonly retryAfter: string | null
}

/** Response to a change that succeeded. */
export const ok: ClickResponse = { status: 200, replayed: null, retryAfter: null }
/** Response to a repeat of a success. */
export const replayed: ClickResponse = { ...ok, replayed: 'true' }

export const beans = { email: 'a@b.example', product_id: 'beans' } as const

export const paths = {
  add: '/integration/upsells/add-product',
  undo: '/integration/upsells/undo-add-product',
} as const

/**
 * Returns a function that sends clicks to a new integration, with an optional `Idempotency-Key`.
 * If `ledger` is `false`, the integration has `retries: false`.
 */
export function postClicks(ledger: Ledger | false, store: StorePort, timeoutMs?: number) {
  const integration = createIntegration({
    store,
    apiKeys: [keys.first],
    scope: 'shop',
    retries: ledger && { ledger },
    onError: () => {},
    timeoutMs,
  })
  return async (body: object = beans, key?: string, path: string = paths.add): Promise<ClickResponse> => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const { status, headers: received } = await send(integration, path, { headers, body })
    return { status, replayed: received.get('idempotency-replayed'), retryAfter: received.get('retry-after') }
  }
}
