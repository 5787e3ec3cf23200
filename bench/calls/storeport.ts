import { createIntegration } from '@storeport/core'
import { runHandler } from '../measure/run-handler.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** Without the retry guard, which nobody has by hand. */
runHandler(createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, retries: false, onError: () => {} }).fetch)
