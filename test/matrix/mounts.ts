import type { MountKind } from '@storeport/testing/mount-kind'
import { clientMount } from '../mounts/client.ts'
import {
  express4AfterParsersMount,
  express4Mount,
  express5AfterParsersMount,
  express5Mount,
  expressPrefixMount,
} from '../mounts/express.ts'
import { fastifyNextToParsersMount, fastifyMount } from '../mounts/fastify.ts'
import { fetchMount } from '../mounts/fetch.ts'
import { honoMount } from '../mounts/hono.ts'
import { koaMount } from '../mounts/koa.ts'
import { nodeWithoutSocketMount } from '../mounts/node-without-socket.ts'

/**
 * Mounts to test with the memory store, by name. `sqlite.test.ts` and `postgres.slow.test.ts` run every check on the
 * Node mount. Next has its own tests.
 */
export const mounts: Readonly<Record<string, MountKind>> = {
  fetch: fetchMount,
  'node without a socket': nodeWithoutSocketMount,
  client: clientMount,
  'express 5': express5Mount,
  'express 4': express4Mount,
  'express below a prefix': expressPrefixMount,
  'express 5 after body parsers': express5AfterParsersMount,
  'express 4 after body parsers': express4AfterParsersMount,
  fastify: fastifyMount,
  'fastify next to other parsers': fastifyNextToParsersMount,
  hono: honoMount,
  koa: koaMount,
}
