import { checkWireLayer } from '@storeport/testing/run-conformance'
import { fastifyBesideParsersMount } from './fastify.ts'

await checkWireLayer('fastify next to other parsers', fastifyBesideParsersMount)
