import { serve } from '@hono/node-server'
import { createIntegration } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { Hono } from 'hono'

const integration = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const app = new Hono()
app.all('/integration/*', (c) => integration.fetch(c.req.raw))
app.post('/echo', async (c) => c.json(await c.req.json()))

const port = Number(process.env['PORT'] ?? 3000)
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (address) => {
  console.log(`listening on http://127.0.0.1:${address.port}`)
})
