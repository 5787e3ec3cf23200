import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { fastifyMount } from './fastify.ts'

await behavesOnTheWire('fastify', fastifyMount)
