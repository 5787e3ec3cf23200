import { createIntegration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import { createMemoryStore } from '@storeport/store-memory'
import express from 'express'

const integration = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const app = express()
app.use(toExpress(integration))
app.use(express.json())
app.post('/echo', (req, res) => {
  res.json(req.body)
})

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`)
})
