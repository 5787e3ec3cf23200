import { createIntegration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import express from 'express'
import { clicks, db, transact } from './database.ts'
import { delayButton } from './delay.ts'
import { sendNowButton } from './send-now.ts'
import { listInStock } from './shop.ts'
import { swapAndReactivate } from './swap-reactivate.ts'
import { upsells } from './upsells.ts'

await db.initialize()
await clicks.ready()

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
// A route that the shop already has.
app.get('/products', async (_, res) => {
  res.json(await transact(listInStock))
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`)
})
