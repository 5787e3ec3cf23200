import { checkWireLayer } from '@storeport/testing/run-conformance'
import { fastifyNextToParsersMount } from './fastify.ts'

await checkWireLayer('fastify next to other parsers', fastifyNextToParsersMount)
