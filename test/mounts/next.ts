import { frameworks } from '@storeport/conformance'
import type { MountKind } from '@storeport/testing/stores/mount-kind'
import { startNextServer } from './next-server.ts'

/** Returns the routes of `next-app` as mounts in one app, with an optional Next base path. */
export function createNextApp(basePath = '') {
  let server: ReturnType<typeof startNextServer> | undefined

  /** Builds and starts the app, which takes several seconds. */
  const start = () => (server ??= startNextServer(basePath))

  const mount = (path: string): MountKind => ({
    start: async (integration) => {
      globalThis.storeportUnderTest = integration
      return { url: (await start()).url + path }
    },
    ...frameworks['next'],
  })

  return {
    start,
    stop: async () => (await server)?.stop(),
    /** App Router with `[[...path]]`. */
    catchAll: mount(''),
    /** App Router with one route for each endpoint and no route for other paths. */
    single: mount('/single'),
    /** App Router on the edge runtime, which serves its own store with the API key in `STOREPORT_API_KEY`. */
    edge: mount('/edge'),
    pages: mount('/api'),
    /** Pages Router with Next's body parser. */
    pagesParsed: mount('/api/parsed'),
  }
}
