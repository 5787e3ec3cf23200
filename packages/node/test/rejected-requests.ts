import { postAction } from './raw-requests.ts'

/** Invalid requests that fail with 400 `invalid_request`, by the name of the defect. The wire checks send further lengths and headers. */
const invalid: Readonly<Record<string, string>> = {
  'a length with chunks': `${postAction}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
  'two lengths': `${postAction}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length of 40 digits': `${postAction}Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`,
  'a chunk size that is not a number': `${postAction}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'chunks in another coding': `${postAction}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'a coding after chunks': `${postAction}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': `${postAction.replace('1.1', '1.0')}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a bare LF after the request line': 'GET / HTTP/1.1\nHost: a\r\n\r\n',
  'a bare LF after a header': 'GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'a bare CR in a header': 'GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n',
  'a NUL in a header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
  'a space before the colon': 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n',
  'a target without a slash': 'GET integration HTTP/1.1\r\nHost: a\r\n\r\n',
  'no Host': 'GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n',
  'two Hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'HTTP/0.9': 'GET / HTTP/0.9\r\nHost: a\r\n\r\n',
  'HTTP/2.0 as text': 'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
  'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the start of a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an unknown method': 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n',
  'bytes that are not HTTP': 'hello\r\n\r\n',
}

/** Requests that the server rejects before they reach the integration. */
export const refusedRequests: readonly [what: string, bytes: string, status: number, code: string][] = [
  ...Object.entries(invalid).map(([what, bytes]): [string, string, number, string] => [
    what,
    bytes,
    400,
    'invalid_request',
  ]),
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['a target that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
  [
    'trailers that are too large',
    `${postAction}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['CONNECT to a host', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ['CONNECT to a path', 'CONNECT /integration HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
]
