import { clientMount } from '../mounts/client.ts'
import { express4Mount, express5Mount } from '../mounts/express.ts'
import { fastifyMount } from '../mounts/fastify.ts'
import { fetchMount } from '../mounts/fetch.ts'
import { honoMount } from '../mounts/hono.ts'
import { koaMount } from '../mounts/koa.ts'
import type { MountKind } from '@storeport/testing/mount-kind'
import { nodeWithoutSocketMount } from '../mounts/node-without-socket.ts'
import { nodeMount } from '../mounts/node.ts'

/** The mounts that the databases are tried under, by name; Next is tried with its own, which it must build first. */
export const mountsForDatabases: Readonly<Record<string, MountKind>> = {
  fetch: fetchMount,
  node: nodeMount,
  'node without a socket': nodeWithoutSocketMount,
  client: clientMount,
  'express 5': express5Mount,
  'express 4': express4Mount,
  fastify: fastifyMount,
  hono: honoMount,
  koa: koaMount,
}
