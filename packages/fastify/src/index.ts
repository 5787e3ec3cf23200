import type { Integration } from '@storeport/core'
import { respond } from '@storeport/node'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Mounts the API as a Fastify plugin: `app.register(toFastify(integration))`, also with a `prefix`.
 *
 * Fails to register, with a TypeError, when the prefix repeats the base path.
 */
export function toFastify(integration: Integration): FastifyPluginCallback {
  const { basePath } = integration
  return (app, _options, done) => {
    const prefix = app.prefix.replace(/\/$/, '')
    if (basePath !== '' && prefix.endsWith(basePath)) {
      return done(new TypeError(`${basePath} is in the base path already: leave it out of the prefix of toFastify`))
    }
    // A prefix may hold parameters, so that only the number of its parts is known; a target may be an absolute address.
    const above = new RegExp(`^(?:https?://[^/?]*)?(?:/[^/?]*){${prefix.split('/').length - 1}}`, 'i')
    const handle = (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      return respond(integration, request.raw, reply.raw, { url: request.raw.url?.replace(above, '') })
    }
    // The integration reads the body itself, once the key is right; parsers of the surrounding app stay as they are.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, proceed) => proceed(null))
    // Fastify refuses what is no content type before it calls a handler.
    app.setErrorHandler<Error & { code?: string }>((error, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
      return handle(request, reply)
    })
    app.all(`${basePath}/*`, handle)
    if (basePath !== '') app.all(basePath, handle)
    done()
  }
}
