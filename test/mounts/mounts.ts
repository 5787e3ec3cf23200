import { getRequestListener } from '@hono/node-server'
import { sendTo } from '@storeport/conformance'
import type { Integration } from '@storeport/core'
import { toExpress } from '@storeport/express'
import { toFastify, toFrameworkErrors } from '@storeport/fastify'
import { toNodeListener } from '@storeport/node'
import { listening } from '@storeport/testing/listen'
import type { MountKind, Mounted } from '@storeport/testing/stores/mount-kind'
import express4 from 'express-4'
import express5, { type Express } from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import { toFetchResponse, toReqRes } from 'fetch-to-node'
import { Hono } from 'hono'
import Koa from 'koa'

type Mounts = Readonly<Record<string, MountKind>>

/** Calls `fetch` in this process, as Workers, Deno and Bun do. */
const fetchMount: MountKind = {
  start: async (integration) => ({ send: sendTo((request) => integration.fetch(request)) }),
}

/** The merchant's own HTTP server parses the requests before StorePort receives them. */
const unsupported = ['http-parser'] as const

function expressMount(mount: (integration: Integration) => Express, path = ''): MountKind {
  return { start: (integration) => listening(mount(integration), path), unsupported }
}

export const express5Mount = expressMount((integration) => express5().use(toExpress(integration)))

export const fastifyMount: MountKind = {
  start: async (integration) =>
    startFastify(fastify({ frameworkErrors: toFrameworkErrors(integration) }).register(toFastify(integration))),
  unsupported,
}

/** Mounts the API under a path prefix, next to body parsers and routes of the merchant's app. */
const fastifyNextToParsersMount: MountKind = {
  start: (integration) => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, { body }))
    app.addContentTypeParser(/^text\//, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser('*', (_request, _payload, done) => done(new Error('unsupported content type')))
    app.post('/echo', async (request) => request.body)
    app.register(toFastify(integration), { prefix: '/shop/api' })
    return startFastify(app, '/shop/api')
  },
  unsupported,
  skips: {
    'routing.rejects-malformed-percent-signs':
      'Fastify responds to such a path itself, because `frameworkErrors` does not know the prefix',
  },
}

async function startFastify(app: FastifyInstance, path = ''): Promise<Mounted> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: url + path, stop: () => app.close() }
}

export const honoMount: MountKind = {
  start: (integration) => {
    const app = new Hono().all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))
    return listening(getRequestListener(app.fetch))
  },
  // Hono receives normalized URLs, and its server has its own HTTP parser.
  unsupported: ['raw-path', 'http-parser'],
}

/** Mounts the API in Koa, as in docs/guide/mount.md. */
const koaMount: MountKind = {
  start: (integration) => {
    const listener = toNodeListener(integration)
    const app = new Koa().use((ctx, next) => {
      if (!integration.owns(ctx.path)) return next()
      ctx.respond = false
      listener(ctx.req, ctx.res)
    })
    return listening(app.callback())
  },
  unsupported,
}

/** Calls the Node listener with Fetch API requests, without a socket. */
const nodeWithoutSocketMount: MountKind = {
  start: async (integration) => {
    const listener = toNodeListener(integration)
    return {
      send: sendTo((request) => {
        const { req, res } = toReqRes(request)
        listener(req, res)
        return toFetchResponse(res)
      }),
    }
  },
}

/**
 * Mounts whose wire layer `npm test` checks, by name. Their behavior can depend on the version of Node.js.
 * `sqlite.test.ts` runs every check on the Node mount, and Next.js has its own tests.
 */
export const quickMounts: Mounts = { fetch: fetchMount, 'express 5': express5Mount }

/** Other adapters, and other ways to mount them. They differ in how they read requests, so only the wire layer is checked. */
export const variants: Mounts = {
  fastify: fastifyMount,
  'node without a socket': nodeWithoutSocketMount,
  'express 4': expressMount((integration) => express4().use(toExpress(integration))),
  'express below a prefix': expressMount(
    (integration) => express5().use('/shop/api', express5.Router().use(toExpress(integration))),
    '/shop/api',
  ),
  'express 5 after body parsers': expressMount((integration) =>
    express5().use(express5.json(), express5.urlencoded(), express5.text(), toExpress(integration)),
  ),
  'express 4 after body parsers': expressMount((integration) =>
    express4().use(express4.json(), express4.urlencoded({ extended: true }), express4.text(), toExpress(integration)),
  ),
  'fastify next to other parsers': fastifyNextToParsersMount,
  'hono on node-server': honoMount,
  koa: koaMount,
}
