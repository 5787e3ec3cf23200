import { reportPort } from '../measure/run-server.ts'
import { fastifyApp } from '../peers/fastify.ts'

reportPort(Number(new URL(await fastifyApp.listen({ port: 0, host: '127.0.0.1' })).port))
