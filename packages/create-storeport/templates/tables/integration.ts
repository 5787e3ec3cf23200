// Must be the first import, because the other files read the settings.
import { settings } from './env.ts'
import { createIntegration } from '@storeport/core'
import { createMonitor } from '@storeport/node'
import { run } from './database.ts'
import { currency } from './account.ts'
import { clicks, store } from './store.ts'

/** Returns whether the database accepts writes. The statement changes no row. */
async function isReady(): Promise<boolean> {
  const write = run('update storeport_adds set quantity = quantity where id is null', [])
  return write.then(
    () => true,
    () => false,
  )
}

export const monitor = createMonitor({ ...settings, isReady })

export const integration = createIntegration({
  store,
  apiKeys: settings.apiKeys,
  currency,
  scope: 'my-shop',
  retries: { ledger: clicks },
  observe: monitor.observe,
  onError: monitor.onError,
})
