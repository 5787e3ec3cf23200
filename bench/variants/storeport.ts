import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { reportPort } from '../measure/follow-orders.ts'
import { apiKey, shop, timeoutMs } from '../shop.ts'

// `BENCH_GUARD=off` disables the retry guard, because no other variant has a retry guard.
const guard = process.env['BENCH_GUARD'] === 'off' ? { retries: false as const } : {}
const integration = createIntegration({ store: shop, apiKeys: [apiKey], timeoutMs, onError: () => {}, ...guard })

reportPort((await serve(integration, { port: 0 })).port)
