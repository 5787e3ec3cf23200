import { checkWireLayer } from '@storeport/testing/run-conformance'
import { fastifyMount } from './fastify.ts'

await checkWireLayer('fastify', fastifyMount)
