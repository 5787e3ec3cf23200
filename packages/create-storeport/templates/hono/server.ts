import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { integration } from './integration.ts'
import { drawImage } from './images.ts'
import { closeServer, keepAliveTimeout, stopOnSignal } from './stop-on-signal.ts'

const app = new Hono()
app.all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))

app.get('/', (c) => c.text('The shop is running.'))

app.get('/healthz', (c) => c.text('ok'))

app.get('/images/:file', (c) => {
  return c.body(drawImage(c.req.param('file')), 200, { 'Content-Type': 'image/svg+xml' })
})

const host = process.env['HOST'] ?? '127.0.0.1'
const server = createServer({ keepAliveTimeout }, getRequestListener(app.fetch))
server.listen(Number(process.env['PORT'] ?? 3000), host, () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://${host}:${address?.port}`)
})
stopOnSignal(() => closeServer(server))
