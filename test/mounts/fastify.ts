import { toFastify } from '@storeport/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import type { MountKind, Mounted } from '@storeport/testing/mount-kind'

/** The HTTP parser of the merchant's own server answers, not one that StorePort has set up. */
const cannot = ['http-parser'] as const

const skips = {
  'routing.refuses-malformed-percent-signs':
    "Fastify answers such a path itself: `frameworkErrors` of the merchant's app says how",
}

/** On Fastify. */
export const fastifyMount: MountKind = {
  start: async (integration) => started(fastify().register(toFastify(integration))),
  cannot,
  skips,
}

/** Below a prefix, next to parsers and hooks of the merchant's app. */
export const fastifyBesideParsersMount: MountKind = {
  start: (integration) => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, { body }))
    app.addContentTypeParser(/^text\//, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser('*', (_request, _payload, done) => done(new Error('the app takes no such content type')))
    app.post('/echo', async (request) => request.body)
    app.register(toFastify(integration), { prefix: '/shop/api' })
    return started(app, '/shop/api')
  },
  cannot,
  skips,
}

async function started(app: FastifyInstance, path = ''): Promise<Mounted> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: url + path, stop: () => app.close() }
}
