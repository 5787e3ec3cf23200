import { toFastify } from '@storeport/fastify'
import fastify from 'fastify'
import { integration } from './integration.ts'

const app = fastify()
app.register(toFastify(integration))

app.get('/', async () => 'The shop is running.')

const url = await app.listen({
  port: Number(process.env['PORT'] ?? 3000),
  host: process.env['HOST'] ?? '127.0.0.1',
})
console.log(`listening on ${url}`)
