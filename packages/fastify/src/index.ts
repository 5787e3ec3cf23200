import type { Integration } from '@storeport/core'
import { respond } from '@storeport/node'
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Mounts the API as a Fastify plugin: `app.register(toFastify(integration))`, with or without a `prefix`.
 *
 * Registration fails with a TypeError if the prefix repeats the base path.
 */
export function toFastify(integration: Integration): FastifyPluginCallback {
  const { basePath } = integration
  return (app, _options, done) => {
    const prefix = app.prefix.replace(/\/$/, '')
    if (basePath !== '' && prefix.endsWith(basePath)) {
      return done(new TypeError(`${basePath} is already the base path. Remove it from the prefix of toFastify.`))
    }
    // Removes the prefix by its number of segments, because the prefix can contain parameters.
    // The request target can be an absolute URL.
    const above = new RegExp(`^(?:https?://[^/?]*)?(?:/[^/?]*){${prefix.split('/').length - 1}}`, 'i')
    const handle = (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      return respond(integration, request.raw, reply.raw, { url: request.raw.url?.replace(above, '') })
    }
    // The integration checks the key and then reads the body itself. Parsers of the surrounding app are unaffected.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, proceed) => proceed(null))
    // Fastify rejects an invalid content type before it calls a handler, but the integration must check the key first.
    app.setErrorHandler<Error & { code?: string }>((error, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
      return handle(request, reply)
    })
    app.all(`${basePath}/*`, handle)
    if (basePath !== '') app.all(basePath, handle)
    done()
  }
}

/**
 * Creates Fastify's option `frameworkErrors`: `fastify({ frameworkErrors: toFrameworkErrors(integration) })`. The
 * integration then responds to a path with invalid percent-encoding, which Fastify rejects before it calls a plugin
 * (ROUTE-9).
 */
export function toFrameworkErrors(integration: Integration) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (!integration.owns((request.raw.url ?? '').split('?', 1)[0] ?? '')) return void reply.send(error)
    reply.hijack()
    void respond(integration, request.raw, reply.raw)
  }
}
