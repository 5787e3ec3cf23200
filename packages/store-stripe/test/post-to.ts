import { createIntegration, type Ledger, memoryLedger, type StorePort } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import { send } from '@storeport/testing/send'
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
    send(integration, `/integration${path}`, { body, headers: name === undefined ? {} : { 'idempotency-key': name } })
}
