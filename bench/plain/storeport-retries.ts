import { createIntegration } from '@storeport/core'
import { runPlainCalls } from '../measure/run-plain-calls.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** As it comes, with the retry guard in memory. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, onError: () => {} })

await runPlainCalls(integration.answer)
