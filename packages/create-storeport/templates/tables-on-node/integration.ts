// Must be the first import, because the other files read the settings.
import { apiKeys } from './env.ts'
import { createIntegration } from '@storeport/core'
import { clicks, currency, store } from './store.ts'

export const integration = createIntegration({
  store,
  apiKeys,
  currency,
  scope: 'my-shop',
  retries: { ledger: clicks },
})
