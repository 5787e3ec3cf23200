import type { MountKind } from '@storeport/testing/mount-kind'
import { clientMount } from '../mounts/client.ts'
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

/** Mounts whose wire layer `npm test` checks, by name. `sqlite.test.ts` runs every check on the Node mount. */
export const quickMounts: Readonly<Record<string, MountKind>> = {
  fetch: fetchMount,
  client: clientMount,
  'express 5': express5Mount,
  fastify: fastifyMount,
}

/** Mounts that only `npm run test:slow` checks, by name. Next.js has its own tests. */
export const slowMounts: Readonly<Record<string, MountKind>> = {
  'node without a socket': nodeWithoutSocketMount,
  'express 4': express4Mount,
  'express below a prefix': expressPrefixMount,
  'express 5 after body parsers': express5AfterParsersMount,
  'express 4 after body parsers': express4AfterParsersMount,
  'fastify next to other parsers': fastifyNextToParsersMount,
  'hono on node-server': honoMount,
  koa: koaMount,
}
