import type { MountKind } from '@storeport/testing/mount-kind'
import { clientMount } from '../mounts/client.ts'
import {
  express4AfterParsersMount,
  express4Mount,
  express5AfterParsersMount,
  express5Mount,
  expressPrefixMount,
} from '../mounts/express.ts'
import { fastifyBesideParsersMount, fastifyMount } from '../mounts/fastify.ts'
import { fetchMount } from '../mounts/fetch.ts'
import { honoMount } from '../mounts/hono.ts'
import { koaMount } from '../mounts/koa.ts'
import { nodeWithoutSocketMount } from '../mounts/node-without-socket.ts'
import { nodeMount } from '../mounts/node.ts'

/** Every mount that the stores are tried under, by name; Next is tried with its own, which it must build first. */
export const mounts: Readonly<Record<string, MountKind>> = {
  fetch: fetchMount,
  node: nodeMount,
  'node without a socket': nodeWithoutSocketMount,
  client: clientMount,
  'express 5': express5Mount,
  'express 4': express4Mount,
  'express below a prefix': expressPrefixMount,
  'express 5 after body parsers': express5AfterParsersMount,
  'express 4 after body parsers': express4AfterParsersMount,
  fastify: fastifyMount,
  'fastify next to other parsers': fastifyBesideParsersMount,
  hono: honoMount,
  koa: koaMount,
}
