import { toExpress } from '@storeport/express'
import express from 'express'
import { integration } from './integration.ts'
import { drawImage } from './images.ts'
import { closeServer, keepAliveTimeout, stopOnSignal } from './stop-on-signal.ts'

const app = express()
app.use(toExpress(integration))

app.get('/', (_req, res) => {
  res.send('The shop is running.')
})

app.get('/healthz', (_req, res) => {
  res.type('text').send('ok')
})

app.get('/images/:file', (req, res) => {
  res.type('svg').send(drawImage(req.params.file))
})

const host = process.env['HOST'] ?? '127.0.0.1'
const server = app.listen(Number(process.env['PORT'] ?? 3000), host, (error) => {
  if (error !== undefined) throw error
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://${host}:${address?.port}`)
})
server.keepAliveTimeout = keepAliveTimeout
stopOnSignal(() => closeServer(server))
