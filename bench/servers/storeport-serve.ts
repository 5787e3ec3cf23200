import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { reportPort } from '../measure/run-server.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** StorePort's own server, with its limits on slow callers. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, retries: false, onError: () => {} })

reportPort((await serve(integration, { port: 0 })).port)
