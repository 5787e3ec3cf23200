import type { MountKind } from '@storeport/testing/stores/mount-kind'
import {
  express4AfterParsersMount,
  express4Mount,
  express5AfterParsersMount,
  express5Mount,
  expressPrefixMount,
} from '../mounts/express.ts'
import { fastifyMount, fastifyNextToParsersMount } from '../mounts/fastify.ts'
import { fetchMount } from '../mounts/fetch.ts'
import { honoMount } from '../mounts/hono.ts'
import { koaMount } from '../mounts/koa.ts'
import { nodeWithoutSocketMount } from '../mounts/node-without-socket.ts'

type Mounts = Readonly<Record<string, MountKind>>

/**
 * Mounts whose wire layer `npm test` checks, by name. Their behavior can depend on the version of Node.js.
 * `sqlite.test.ts` runs every check on the Node mount, and Next.js has its own tests.
 */
export const quickMounts: Mounts = { fetch: fetchMount, 'express 5': express5Mount }

/** Other adapters, and other ways to mount them. They differ in how they read requests, so only the wire layer is checked. */
export const variants: Mounts = {
  fastify: fastifyMount,
  'node without a socket': nodeWithoutSocketMount,
  'express 4': express4Mount,
  'express below a prefix': expressPrefixMount,
  'express 5 after body parsers': express5AfterParsersMount,
  'express 4 after body parsers': express4AfterParsersMount,
  'fastify next to other parsers': fastifyNextToParsersMount,
  'hono on node-server': honoMount,
  koa: koaMount,
}
