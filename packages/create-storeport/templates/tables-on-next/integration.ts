import { createIntegration } from '@storeport/core'
import { clicks, currency, store } from './store.ts'

export const integration = createIntegration({
  store,
  apiKeys: [process.env['STOREPORT_API_KEY']],
  currency,
  scope: 'my-shop',
  retries: { ledger: clicks },
})
