import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { reportPort } from '../measure/run-server.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** StorePort as it comes: its own server, with its limits on slow callers, and the retry guard in memory. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, onError: () => {} })

reportPort((await serve(integration, { port: 0 })).port)
