import { createIntegration } from '@storeport/core'
import { createMonitor } from '@storeport/node'
import { settings } from './env.ts'
import { createStore } from './store.ts'

export const monitor = createMonitor({
  ...settings,
  // `/readyz` returns 503 if this function returns false. Check your database here.
  isReady: async () => true,
})

export const integration = createIntegration({
  store: createStore(process.env['STOREPORT_URL']),
  apiKeys: settings.apiKeys,
  observe: monitor.observe,
  onError: monitor.onError,
})
