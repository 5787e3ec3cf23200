import { createIntegration } from '@storeport/core'
import { runPlainCalls } from '../measure/run-plain-calls.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

/** Without the retry guard, which nobody has by hand. */
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, retries: false, onError: () => {} })

await runPlainCalls(integration.answer)
