/** A flaw of an HTTP server, as a difference from what a correct server reads or writes on a connection. */
export interface Flaw {
  /** Changes the unread bytes of requests. Returns `undefined` to wait for more bytes or for the end of the connection. */
  readonly request?: (bytes: string, isEnd: boolean) => string | undefined
  /** Returns the response to some requests, after which the connection is closed. */
  readonly instead?: (bytes: string) => string | undefined
  /** Changes the bytes of responses. */
  readonly response?: (bytes: string) => string
  /** What the server does with a request that arrives before the response to an earlier request. */
  readonly pipelined?: 'is dropped' | 'is answered first'
  /** Whether the server reads one connection at a time, until its first response. */
  readonly isSerial?: boolean
  /** Whether the server leaves the connection open after its last response. */
  readonly staysOpen?: boolean
}

/** Rewrites all matches of a pattern in the requests. */
const rewrite = (pattern: RegExp, by: string): Flaw => ({ request: (bytes) => bytes.replace(pattern, by) })

/** Makes requests that match a pattern invalid, so that the correct server rejects them. */
const reject = (pattern: RegExp): Flaw => ({ request: (bytes) => (pattern.test(bytes) ? `@${bytes}` : bytes) })

const respond = (pattern: RegExp, response: string): Flaw => ({
  instead: (bytes) => (pattern.test(bytes) ? response : undefined),
})

/** Changes the responses to malformed requests, which are the last ones of their connections. */
const refuse = (pattern: RegExp, by: string): Flaw => ({
  response: (bytes) => (/^Connection: close\r$/m.test(bytes) ? bytes.replace(pattern, by) : bytes),
})

const lengths = /^Content-Length: (.*)\r\n/gm
const chunked = /^Transfer-Encoding: chunked\r\n/m
const bodyOf = (bytes: string) => bytes.slice(bytes.indexOf('\r\n\r\n') + 4)

/** Flaws by what the HTTP server does. */
export const flaws: Readonly<Record<string, Flaw>> = {
  'takes the first of two lengths': rewrite(/(Content-Length: .*\r\n)Content-Length: .*\r\n/, '$1'),
  'takes the last of two lengths': rewrite(/Content-Length: .*\r\n(Content-Length: .*\r\n)/, '$1'),
  'takes a length for a number as far as it is one': {
    request: (bytes) =>
      bytes.replace(lengths, (_line, value) => `Content-Length: ${Math.abs(parseInt(value, 10))}\r\n`),
  },
  'reads by the length where there are chunks too': {
    request: (bytes) => (bytes.match(lengths) === null ? bytes : bytes.replace(chunked, '')),
  },
  'reads by the chunks where there is a length too': {
    request: (bytes) => (chunked.test(bytes) ? bytes.replace(lengths, '') : bytes),
  },
  'takes the size of a chunk for a number as far as it is one': {
    request: (bytes) =>
      bytes.replace(/(?<=\r\n)[+-]?(?:0x)?[\da-f]+x?(?=\r\n\{)/, (size) => parseInt(size, 16).toString(16)),
  },
  'looks for no line end behind a chunk': rewrite(/\}(?=0\r\n\r\n$)/, '}\r\n'),
  'knows no extensions of chunks': reject(/^[\da-f]+;/m),
  'takes trailers for the next request': rewrite(/^0\r\n(?=[\w-]+: )/m, '0\r\n\r\n'),
  'knows sizes of chunks in lower case alone': reject(/^[\da-f]*[A-F][\dA-F]*\r$/m),
  'takes what is there for the body when the connection ends': {
    request: (bytes, isEnd) => {
      const [, length = 0] = /^Content-Length: (\d+)\r$/m.exec(bytes) ?? []
      const { length: read } = bodyOf(bytes)
      if (read >= Number(length)) return bytes
      return isEnd ? bytes.replace(lengths, `Content-Length: ${read}\r\n`) : undefined
    },
  },
  'ends chunks where the connection ends': {
    request: (bytes, isEnd) => {
      if (!chunked.test(bytes) || /(?:^|\r\n)0\r\n\r\n$/.test(bodyOf(bytes))) return bytes
      return isEnd ? `${bytes}0\r\n\r\n` : undefined
    },
  },
  'compares an absolute target as a whole': rewrite(/^(\w+) (?=https?:)/, '$1 /'),
  'accepts an absolute target only with its own host': rewrite(/^(\w+) (?=https?:\/\/shop\.example\/)/, '$1 /'),
  'never says 100 Continue': { response: (bytes) => bytes.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '') },
  'answers Expect with 417': rewrite(/^Expect: 100-continue/m, 'Expect: the-impossible'),
  'answers CONNECT with 200': respond(/^CONNECT /, 'HTTP/1.1 200 Connection established\r\n\r\n'),
  'switches protocols on request': respond(/^Upgrade: /m, 'HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'closes the connection after a request for another protocol': respond(/^Upgrade: /m, ''),
  'leaves the body of a GET on the connection': {
    request: (bytes) => (bytes.startsWith('GET ') ? bytes.replace(lengths, '').replace(chunked, '') : bytes),
  },
  'refuses a body on a GET and goes on': {
    request: (bytes) => {
      if (!bytes.startsWith('GET ') || bodyOf(bytes) === '') return bytes
      const head = bytes.slice(0, -bodyOf(bytes).length).replace(lengths, '').replace(chunked, '')
      return head.replace(/\?\S*|(?= HTTP)/, '?email=x&discount_code=')
    },
  },
  'reads fields of a GET from its body': {
    request: (bytes) => {
      const [, email] = /"email":"([^"]+)"/.exec(bodyOf(bytes)) ?? []
      if (!bytes.startsWith('GET ') || email === undefined) return bytes
      return bytes.replace(/\?\S*|(?= HTTP)/, `?email=${encodeURIComponent(email)}`)
    },
  },
  'reads one request at a time': { isSerial: true },
  'drops what comes behind a request in one piece': { pipelined: 'is dropped' },
  'answers the last of several requests first': { pipelined: 'is answered first' },
  'trims the names of headers': rewrite(/^([\w-]+) +:/m, '$1:'),
  'takes any line for a header': rewrite(/(?<=\r\n)(?:[\w-]+ .*|:.*|.*\0.*)\r\n/, ''),
  'takes any byte in a header': rewrite(/\0/g, ''),
  'takes any request line': rewrite(/^(\S+) +(\S+).*\r/, '$1 $2 HTTP/1.1\r'),
  'needs no Host': { request: (bytes) => (/^Host:/m.test(bytes) ? bytes : bytes.replace('\r\n', '\r\nHost: x\r\n')) },
  'takes the first of two Hosts': rewrite(/^(Host: .*\r\n)([^]*)^Host: .*\r\n/m, '$1$2'),
  'takes any transfer coding for none': rewrite(/^Transfer-Encoding: (?!chunked).*\r\n/m, ''),
  'refuses with a web page': refuse(/^Content-Length: \d+\r\n([^]*\r\n\r\n)[^]*/m, '$1<h1>Bad Request</h1>'),
  'refuses without Cache-Control': refuse(/^Cache-Control: .*\r\n/m, ''),
  'refuses without nosniff': refuse(/^X-Content-Type-Options: .*\r\n/m, ''),
  'refuses without a request id': refuse(/^X-Request-Id: .*\r\n/m, ''),
  'refuses as text': refuse(/^Content-Type: .*\r\n/m, 'Content-Type: text/plain; charset=utf-8\r\n'),
  'knows HTTP/1.1 alone': reject(/^.* HTTP\/1\.0\r\n/),
  'keeps the connection open behind a refusal': { ...refuse(/^Connection: close\r\n/m, ''), staysOpen: true },
}
