import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { runServer } from '../measure/run-server.ts'
import { honoApp } from '../peers/hono.ts'

runServer(createServer(getRequestListener(honoApp.fetch)))
