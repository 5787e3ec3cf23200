import { runHandler } from '../measure/run-handler.ts'
import { honoApp } from '../peers/hono.ts'

runHandler(async (request) => honoApp.fetch(request))
