import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { currency } from './account.ts'
import { clicks, store } from './store.ts'

await clicks.ready()
const integration = createIntegration({
  store,
  apiKeys: [process.env['STOREPORT_API_KEY']],
  currency,
  scope: 'tea-shop',
  retries: { ledger: clicks },
})
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
