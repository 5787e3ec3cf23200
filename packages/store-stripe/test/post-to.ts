import { createIntegration, type Ledger, memoryLedger, type StorePort } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import type { StripeShop } from './open-shop.ts'

/**
 * Creates a function that posts clicks to an integration. By default, the integration uses an in-memory ledger with the
 * shop's clock.
 */
export function postTo({
  store,
  now,
  ledger = memoryLedger({ now: () => now().getTime() }),
}: Pick<StripeShop, 'now'> & { readonly store: StorePort; readonly ledger?: Ledger }) {
  const integration = createIntegration({
    store,
    apiKeys: [keys.first],
    retries: { ledger, processes: ledger.isLocal === true ? 1 : 2 },
    onError: () => {},
  })
  return (path: string, body: object, name?: string) =>
    integration.fetch(
      new Request(`https://shop.example/integration${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-integration-api-key': keys.first,
          ...(name !== undefined && { 'idempotency-key': name }),
        },
        body: JSON.stringify(body),
      }),
    )
}
