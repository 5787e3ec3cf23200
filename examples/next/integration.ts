import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'

export const integration = createIntegration({
  store: createMemoryStore(),
  apiKeys: [process.env['STOREPORT_API_KEY']],
})
