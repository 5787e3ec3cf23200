import { fastifyBesideParsersMount, fastifyMount } from './fastify.ts'
import { behavesOnTheWire } from '@storeport/testing/behaves-over'

await behavesOnTheWire('fastify', fastifyMount)
await behavesOnTheWire('fastify next to other parsers', fastifyBesideParsersMount)
