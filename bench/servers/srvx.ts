import { serve } from 'srvx'
import { fetchByHand } from '../by-hand/fetch-handler.ts'
import { reportPort } from '../measure/run-server.ts'

/** The plain fetch handler behind srvx: what a bridge from Web Request to node:http costs. */
const server = serve({
  fetch: fetchByHand,
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
  gracefulShutdown: false,
  node: { keepAliveTimeout: 65_000 },
})
await server.ready()
reportPort(Number(new URL(server.url ?? '').port))
