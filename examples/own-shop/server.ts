import { createIntegration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import express from 'express'
import { clicks, db } from './database.ts'
import { delayButton } from './delay.ts'
import { sendNowButton } from './send-now.ts'
import { swapAndReactivate } from './swap-reactivate.ts'
import { upsells } from './upsells.ts'

// Run schema.sql and storeport.sql in a database, and set DATABASE_URL, PAYMENTS_URL and STOREPORT_API_KEY.
await db.initialize()
await clicks.ready()
// Without an index, a lookup reads every row, and a locking lookup locks every row.
for (const [table, column] of Object.entries({ customers: 'email', codes: 'code', subscriptions: 'customer_id' })) {
  const found = await db.query<unknown[]>(
    `show index from ${table} where column_name = '${column}' and seq_in_index = 1`,
  )
  if (found.length === 0) console.warn(`Missing index: create index ${table}_${column} on ${table} (${column})`)
}

const stages = [delayButton, sendNowButton, upsells, swapAndReactivate]
const integration = createIntegration({
  store: Object.assign({}, ...stages.slice(0, Number(process.env['STAGES'] ?? 4))),
  apiKeys: [process.env['STOREPORT_API_KEY']],
  currency: 'EUR',
  scope: 'tea-shop',
  retries: { ledger: clicks },
})

const app = express()
app.use(toExpress(integration))
const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`)
})
