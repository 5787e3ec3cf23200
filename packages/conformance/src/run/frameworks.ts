import type { Capability } from '../http/plain-http.ts'

/** Checks that a shop cannot pass behind a framework or proxy, which responds to their requests itself. */
export interface Framework {
  readonly unsupported: readonly Capability[]
  /** Reason for each skipped check, by check id. */
  readonly skips: Readonly<Record<string, string>>
}

const space = 'Next replaces a space in the query with a plus before its routes run'

/** Reasons to skip the checks of requests that an HTTP parser in front of the shop rejects. */
const ofParser = (name: string) => ({
  'errors.of-the-http-parser-have-the-error-body': `the HTTP parser of ${name} itself rejects oversized headers`,
  'http.rejections-have-the-standard-headers': `the HTTP parser of ${name} itself rejects malformed requests`,
})

/** Frameworks and proxies by their name for `--framework`. */
export const frameworks: Readonly<Record<string, Framework>> = {
  next: {
    // Next resolves `.` and `..` segments in a path, and provides the HTTP server.
    unsupported: ['raw-path', 'http-parser', 'sockets'],
    skips: {
      'routing.rejects-a-doubled-slash': 'Next redirects a path with a double slash',
      'routing.rejects-malformed-percent-signs': 'Next itself responds to malformed percent-encoding',
      'emails.reject-what-html-rejects': space,
      'emails.have-at-most-254-characters': space,
      'emails.are-trimmed': space,
      'emails.preserve-a-plus-in-the-query': space,
    },
  },
  express: { unsupported: [], skips: ofParser('Node.js') },
  // Hono receives a normalized URL.
  hono: { unsupported: ['raw-path'], skips: ofParser('Node.js') },
  nginx: {
    unsupported: [],
    skips: {
      ...ofParser('nginx'),
      'routing.rejects-malformed-percent-signs': 'nginx itself responds to malformed percent-encoding',
    },
  },
  fastify: {
    unsupported: ['http-parser'],
    skips: { 'routing.rejects-malformed-percent-signs': 'Fastify itself responds to malformed percent-encoding' },
  },
  worker: {
    // The runtime of Workers normalizes URLs and has its own HTTP parser.
    unsupported: ['raw-path', 'http-parser'],
    skips: {},
  },
  caddy: {
    // Caddy parses requests and responds to invalid HTTP itself.
    unsupported: ['http-parser', 'sockets'],
    skips: { 'routing.rejects-malformed-percent-signs': 'Caddy itself responds to malformed percent-encoding' },
  },
  // The server of `php -S` passes most malformed requests to the PHP code, which can reject them.
  php: {
    unsupported: [],
    skips: {
      'http.handles-expect-continue': 'php -S reads the whole body before the PHP code runs',
      'http.rejections-have-the-standard-headers': 'php -S closes the connection after a malformed chunk',
    },
  },
}
