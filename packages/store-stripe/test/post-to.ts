import { createIntegration, memoryLedger, type StorePort } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import type { StripeShop } from './open-shop.ts'

/** Creates a function that posts clicks to an integration, whose in-memory ledger uses the shop's clock. */
export function postTo({ store, now }: Pick<StripeShop, 'now'> & { readonly store: StorePort }) {
  const integration = createIntegration({
    store,
    apiKeys: [keys.first],
    retries: { ledger: memoryLedger({ now: () => now().getTime() }), processes: 1 },
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
