import type { MountKind } from '@storeport/testing/mount-kind'
import { startNextServer } from './next-server.ts'

const space = 'Next writes a space in a query as a plus, before its routes see it'

/** What is Next's own and cannot be had otherwise. */
const skips = {
  'routing.refuses-a-doubled-slash': 'Next answers a doubled slash itself, by a redirect',
  'routing.refuses-malformed-percent-signs': 'Next answers a malformed percent sign itself',
  'emails.refuse-what-html-refuses': space,
  'emails.have-at-most-254-characters': space,
  'emails.are-trimmed': space,
  'emails.keep-a-plus-in-the-query': space,
}

/** The routes of `next-app` as mounts, in one app, below a base path of Next's own or without. */
export function createNextApp(basePath = '') {
  let server: ReturnType<typeof startNextServer> | undefined

  /** Builds and starts it; takes seconds. */
  const start = () => (server ??= startNextServer(basePath))

  const mount = (path: string): MountKind => ({
    start: async (integration) => {
      globalThis.storeportUnderTest = integration
      return { url: (await start()).url + path }
    },
    // Next takes dots out of a path, and what is below the API is its own server.
    cannot: ['raw-path', 'http-parser', 'sockets'],
    skips,
  })

  return {
    start,
    /** Ends it. */
    stop: async () => (await server)?.stop(),
    /** App Router, `[[...path]]`. */
    catchAll: mount(''),
    /** App Router, one route for each endpoint and none for any other path. */
    single: mount('/single'),
    /** App Router on the edge runtime; it serves a store of its own, with the key `STOREPORT_API_KEY`. */
    edge: mount('/edge'),
    /** Pages Router. */
    pages: mount('/api'),
    /** Pages Router, after Next's body parser. */
    pagesParsed: mount('/api/parsed'),
  }
}
