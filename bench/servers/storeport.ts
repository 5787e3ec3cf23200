import { createServer } from 'node:http'
import { createIntegration } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { runServer } from '../measure/run-server.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** StorePort's listener on a server like the one by hand; without the retry guard, which nobody has by hand. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, retries: false, onError: () => {} })

runServer(createServer(toNodeListener(integration)))
