import { type CompleteStorePort, createIntegration, type IntegrationOptions } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import { key } from './shop.ts'

/** Serves a shop on a free port; clicks are remembered for an hour, so that no test depends on how fast it runs. */
export function serveShop(store: CompleteStorePort, options: Partial<IntegrationOptions> = {}): Promise<RunningServer> {
  const hour = 3_600_000
  const windows = { addProduct: hour, undoAddProduct: hour, sendNow: hour, runCustomAction: hour }
  const integration = createIntegration({
    store,
    apiKeys: [key],
    retries: { windows },
    onError: () => {},
    ...options,
  })
  return serve(integration, { port: 0, closeTimeoutMs: 100 })
}
