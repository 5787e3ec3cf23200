import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { listening } from '@storeport/testing/listen'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

export const honoMount: MountKind = {
  start: (integration) => {
    const app = new Hono().all(`${integration.basePath}/*`, (c) => integration.fetch(c.req.raw))
    return listening(getRequestListener(app.fetch))
  },
  // Hono receives normalized URLs, and its server has its own HTTP parser.
  unsupported: ['raw-path', 'http-parser'],
}
