import { createIntegration } from '@storeport/core'
import { createStore } from './store.ts'

export const integration = createIntegration({
  store: createStore(process.env['STOREPORT_URL']),
  apiKeys: [process.env['STOREPORT_API_KEY']],
})
