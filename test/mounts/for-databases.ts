import { clientMount } from './client.ts'
import { express4Mount, express5Mount } from './express.ts'
import { fastifyMount } from './fastify.ts'
import { fetchMount } from './fetch.ts'
import { honoMount } from './hono.ts'
import { koaMount } from './koa.ts'
import type { MountKind } from './mount.ts'
import { nodeWithoutSocketMount } from './node-without-socket.ts'
import { nodeMount } from './node.ts'

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
