import { fastifyBesideParsersMount, fastifyMount } from './fastify.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('fastify', fastifyMount)
await behavesOverMemory('fastify beside other parsers', fastifyBesideParsersMount)
