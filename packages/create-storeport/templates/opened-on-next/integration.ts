import { createIntegration } from '@storeport/core'
import { createMonitor } from '@storeport/node'
import { settings } from './env.ts'
import { openStore } from './store.ts'

// Does not open the store during `next build`, because the build loads this file but may have no settings.
const store = process.env['NEXT_PHASE'] === 'phase-production-build' ? undefined : await openStore()

export const monitor = createMonitor({ ...settings, isReady: async () => store !== undefined && store.isReady() })

export const integration = createIntegration({
  store: store ?? {},
  apiKeys: settings.apiKeys,
  observe: monitor.observe,
  onError: monitor.onError,
})
