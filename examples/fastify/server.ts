import { createIntegration } from '@storeport/core'
import { toFastify } from '@storeport/fastify'
import { createMemoryStore } from '@storeport/store-memory'
import fastify from 'fastify'

const integration = createIntegration({ store: createMemoryStore(), apiKeys: [process.env['STOREPORT_API_KEY']] })

const app = fastify()
app.register(toFastify(integration))
app.post('/echo', async (request) => request.body)

const url = await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log(`listening on ${url}`)
