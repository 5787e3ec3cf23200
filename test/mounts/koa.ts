import { toNodeListener } from '@storeport/node'
import Koa from 'koa'
import { listening } from '@storeport/testing/listen'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** Mounts the API in Koa, as in docs/guide/mount.md. */
export const koaMount: MountKind = {
  start: (integration) => {
    const listener = toNodeListener(integration)
    const app = new Koa().use((ctx, next) => {
      if (!integration.owns(ctx.path)) return next()
      ctx.respond = false
      listener(ctx.req, ctx.res)
    })
    return listening(app.callback())
  },
  unsupported: ['http-parser'],
}
