import type { MountKind } from '@storeport/testing/mount-kind'
import { startNextServer } from './next-server.ts'

const space = 'Next replaces a space in the query with a plus before its routes run'

/** Reasons for skipped checks, by check id. */
const skips = {
  'routing.rejects-a-doubled-slash': 'Next redirects a path with a double slash',
  'routing.rejects-malformed-percent-signs': 'Next itself responds to malformed percent-encoding',
  'emails.reject-what-html-rejects': space,
  'emails.have-at-most-254-characters': space,
  'emails.are-trimmed': space,
  'emails.preserve-a-plus-in-the-query': space,
}

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
    // Next resolves dots in a path and provides the HTTP server.
    unsupported: ['raw-path', 'http-parser', 'sockets'],
    skips,
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
