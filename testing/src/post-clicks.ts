import { createIntegration, type Ledger, type StorePort } from '@storeport/core'
import { keys } from './keys.ts'

/** The response to a click: its status and the headers of a repeat. */
export interface ClickResponse {
  readonly status: number
  readonly replayed: string | null
  readonly retryAfter: string | null
}

/** The response to a change that has run, or to a repeat of a click without a name. */
export const ok: ClickResponse = { status: 200, replayed: null, retryAfter: null }

/** A click on "add". */
export const beans = { email: 'a@b.example', product_id: 'beans' } as const

/** Paths of the clicks that a test sends. */
export const paths = {
  add: '/integration/upsells/add-product',
  undo: '/integration/upsells/undo-add-product',
} as const

/**
 * Returns how to send clicks to one process of a shop, with an `Idempotency-Key` or without: `add` unless `path` says otherwise.
 * `false` as the ledger is `retries: false`.
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
    const headers = { 'x-integration-api-key': keys.first, 'content-type': 'application/json' }
    const { status, headers: answered } = await integration.fetch(
      new Request(`https://shop.example${path}`, {
        method: 'POST',
        headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
        body: JSON.stringify(body),
      }),
    )
    return { status, replayed: answered.get('idempotency-replayed'), retryAfter: answered.get('retry-after') }
  }
}
