import { createIntegration } from '@storeport/core'
import { runHandler } from '../measure/run-handler.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** As it comes, with the retry guard. */
runHandler(createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, onError: () => {} }).fetch)
