import { createServer } from 'node:http'
import { createIntegration } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { runServer } from '../measure/run-server.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** StorePort as it comes, with the retry guard. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, onError: () => {} })

runServer(createServer(toNodeListener(integration)))
