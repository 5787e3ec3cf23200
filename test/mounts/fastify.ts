import { toFastify, toFrameworkErrors } from '@storeport/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import type { MountKind, Mounted } from '@storeport/testing/stores/mount-kind'

/** The merchant's own HTTP server parses the requests before StorePort receives them. */
const unsupported = ['http-parser'] as const

export const fastifyMount: MountKind = {
  start: async (integration) =>
    start(fastify({ frameworkErrors: toFrameworkErrors(integration) }).register(toFastify(integration))),
  unsupported,
}

/** Mounts the API under a path prefix, next to body parsers and routes of the merchant's app. */
export const fastifyNextToParsersMount: MountKind = {
  start: (integration) => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, { body }))
    app.addContentTypeParser(/^text\//, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser('*', (_request, _payload, done) => done(new Error('unsupported content type')))
    app.post('/echo', async (request) => request.body)
    app.register(toFastify(integration), { prefix: '/shop/api' })
    return start(app, '/shop/api')
  },
  unsupported,
  skips: {
    'routing.rejects-malformed-percent-signs':
      'Fastify responds to such a path itself, because `frameworkErrors` does not know the prefix',
  },
}

async function start(app: FastifyInstance, path = ''): Promise<Mounted> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: url + path, stop: () => app.close() }
}
