import { createIntegration } from '@storeport/core'
import { createMonitor } from '@storeport/node'
import { settings } from './env.ts'
import { openStore } from './store.ts'

const store = await openStore()

export const monitor = createMonitor({ ...settings, isReady: store.isReady })

export const integration = createIntegration({
  store,
  apiKeys: settings.apiKeys,
  observe: monitor.observe,
  onError: monitor.onError,
})
