import { toFastify, toFrameworkErrors } from '@storeport/fastify'
import fastify from 'fastify'
import { integration } from './integration.ts'
import { drawImage } from './images.ts'
import { keepAliveTimeout, stopOnSignal } from './stop-on-signal.ts'

const app = fastify({ keepAliveTimeout, frameworkErrors: toFrameworkErrors(integration) })
app.register(toFastify(integration))

app.get('/', async () => 'The shop is running.')

app.get('/healthz', async () => 'ok')

app.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
  return reply.type('image/svg+xml').send(drawImage(request.params.file))
})

const url = await app.listen({
  port: Number(process.env['PORT'] ?? 3000),
  host: process.env['HOST'] ?? '127.0.0.1',
})
console.log(`listening on ${url}`)
stopOnSignal(() => app.close())
