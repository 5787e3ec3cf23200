import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { integration } from './integration.ts'

const app = new Hono()
app.all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))

app.get('/', (c) => c.text('The shop is running.'))

const hostname = process.env['HOST'] ?? '127.0.0.1'
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname }, ({ port }) => {
  console.log(`listening on http://${hostname}:${port}`)
})
