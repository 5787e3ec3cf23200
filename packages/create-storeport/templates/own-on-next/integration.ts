import { createIntegration } from '@storeport/core'
import { createStore } from './store.ts'

export const integration = createIntegration({
  store: createStore(),
  apiKeys: [process.env['STOREPORT_API_KEY']],
})
