import { toFastify, toFrameworkErrors } from '@storeport/fastify'
import fastify from 'fastify'
import { settings } from './env.ts'
import { integration, monitor } from './integration.ts'
import { drawImage } from './images.ts'

const app = fastify({
  // Common load balancers close idle connections after 60 s, so the server must not close them earlier.
  keepAliveTimeout: 65_000,
  frameworkErrors: toFrameworkErrors(integration),
})
app.register(toFastify(integration))

app.get('/', async () => 'The shop is running.')

app.get('/healthz', async () => 'ok')

app.get('/readyz', async (_request, reply) => reply.code((await monitor.isReady()) ? 200 : 503).send())

app.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
  return reply.type('image/svg+xml').send(drawImage(request.params.file))
})

const url = await app.listen({ port: settings.port, host: settings.host })
monitor.stopOnSignal(() => app.close())
monitor.log.info({ url }, 'listening')
