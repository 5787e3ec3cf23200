import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { fastifyBesideParsersMount } from './fastify.ts'

await behavesOnTheWire('fastify next to other parsers', fastifyBesideParsersMount)
