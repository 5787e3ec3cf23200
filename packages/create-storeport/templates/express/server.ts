import { toExpress } from '@storeport/express'
import { prepareClose } from '@storeport/node'
import express from 'express'
import { settings } from './env.ts'
import { integration, monitor } from './integration.ts'
import { drawImage } from './images.ts'

const app = express()
app.use(toExpress(integration))

app.get('/', (_req, res) => {
  res.send('The shop is running.')
})

app.get('/healthz', (_req, res) => {
  res.type('text').send('ok')
})

app.get('/readyz', async (_req, res) => {
  res.sendStatus((await monitor.isReady()) ? 200 : 503)
})

app.get('/images/:file', (req, res) => {
  res.type('svg').send(drawImage(req.params.file))
})

const server = app.listen(settings.port, settings.host, (error) => {
  if (error !== undefined) throw error
  const address = server.address()
  if (typeof address === 'object') monitor.log.info({ url: `http://${settings.host}:${address?.port}` }, 'listening')
})
// Common load balancers close idle connections after 60 s, so the server must not close them earlier.
server.keepAliveTimeout = 65_000
monitor.stopOnSignal(prepareClose(server))
