import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { prepareClose } from '@storeport/node'
import { Hono } from 'hono'
import { settings } from './env.ts'
import { integration, monitor } from './integration.ts'
import { drawImage } from './images.ts'

const app = new Hono()
app.all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))

app.get('/', (c) => c.text('The shop is running.'))

app.get('/healthz', (c) => c.text('ok'))

app.get('/readyz', async (c) => c.body(null, (await monitor.isReady()) ? 200 : 503))

app.get('/images/:file', (c) => {
  return c.body(drawImage(c.req.param('file')), 200, { 'Content-Type': 'image/svg+xml' })
})

// Common load balancers close idle connections after 60 s, so the server must not close them earlier.
const server = createServer({ keepAliveTimeout: 65_000 }, getRequestListener(app.fetch))
server.listen(settings.port, settings.host, () => {
  const address = server.address()
  if (typeof address === 'object') monitor.log.info({ url: `http://${settings.host}:${address?.port}` }, 'listening')
})
monitor.stopOnSignal(prepareClose(server))
