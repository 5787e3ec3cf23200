import { toExpress } from '@storeport/express'
import express from 'express'
import { integration } from './integration.ts'

const app = express()
app.use(toExpress(integration))

app.get('/', (_req, res) => {
  res.send('The shop is running.')
})

const host = process.env['HOST'] ?? '127.0.0.1'
const server = app.listen(Number(process.env['PORT'] ?? 3000), host, (error) => {
  if (error !== undefined) throw error
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://${host}:${address?.port}`)
})
