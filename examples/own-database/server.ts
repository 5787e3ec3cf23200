import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { currency } from './account.ts'
import { pool } from './pool.ts'
import { clicks, store } from './store.ts'

await clicks.ready()
const index = `select from pg_indexes where tablename = 'customers' and indexdef like '%lower(email)%'`
if ((await pool.query(index)).rowCount === 0)
  console.warn('Each request reads all customers. Run: create unique index on customers (lower(email))')
const integration = createIntegration({
  store,
  apiKeys: [process.env['STOREPORT_API_KEY']],
  currency,
  scope: 'tea-shop',
  retries: { ledger: clicks },
})
const { url } = await serve(integration, { port: Number(process.env['PORT'] ?? 3000) })
console.log(`listening on ${url}`)
