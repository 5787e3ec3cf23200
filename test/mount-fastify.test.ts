import { fastifyBesideParsersMount, fastifyMount } from './mounts/fastify.ts'
import { behavesOverMemory } from './behaviour/behaves-over.ts'

await behavesOverMemory('fastify', fastifyMount)
await behavesOverMemory('fastify beside other parsers', fastifyBesideParsersMount)
