import { createIntegration, memoryLedger, type StorePort } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import { send } from '@storeport/testing/send'
import type { StripeShop } from './open-shop.ts'

/** Creates a function that posts clicks to an integration, whose in-memory ledger has the shop's clock. */
export function postTo({ store, now }: Pick<StripeShop, 'now'> & { readonly store: StorePort }) {
  const retries = { ledger: memoryLedger({ now: () => now().getTime() }), processes: 1 }
  const integration = createIntegration({ store, apiKeys: [keys.first], retries, onError: () => {} })
  return (path: string, body: object, name?: string) =>
    send(integration, `/integration${path}`, { body, headers: name === undefined ? {} : { 'idempotency-key': name } })
}
