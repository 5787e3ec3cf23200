import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { listening } from '@storeport/testing/listen'
import type { MountKind } from '@storeport/testing/mount-kind'

/** In Hono on node:http. */
export const honoMount: MountKind = {
  start: (integration) => {
    const app = new Hono().all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))
    return listening(getRequestListener(app.fetch))
  },
  // Paths arrive as normalised URLs, and the HTTP parser of Hono's server answers for itself.
  cannot: ['raw-path', 'http-parser'],
}
