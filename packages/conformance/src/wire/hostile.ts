import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { endpoints } from '@storeport/core'
import { type Check, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import {
  callHarmless,
  eachGet,
  eachOffered,
  eachPost,
  expectUnauthorized,
  expectValid,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  harmlessTarget,
  json,
  post,
  sendHarmless,
} from '../shop/inputs.ts'
import { expectHandled, expectNoMatch } from './errors.ts'
import { ask, lengthOf } from './lengths.ts'
import { checks as similar } from './similar.ts'

const { should } = about('fields')

export const requirements: Requirements = {
  'ODD-1': should(
    'Ids match exactly, as does the email address in `listProducts`. A wildcard, a partial value, an encoded value, or a value that differs in one letter finds no record.',
    'The id is compared with `LIKE`, the collation of the column ignores letter case and accents, or the value is decoded or converted before the comparison.',
  ),
  'ODD-2': should(
    'A body with a content coding, or with bytes that are not UTF-8, is rejected with a status below 500 or read correctly.',
    'The body is decoded by a library whose exception is not caught.',
  ),
  'ODD-3': should('A request over HTTP/1.0 returns the same response.', 'The server supports only HTTP/1.1.'),
  'ODD-4': should(
    'Headers and query parameters that the API does not define have no effect.',
    'Middleware negotiates content types or methods, or merges parameters such as `email[]` into the fields.',
  ),
}

/** Text of a response from an endpoint, even of a rejection. */
const served = /"success"\s*:\s*true|"(?:customer|subscription|product|item|action|discount)_not_found"/

/** Encodes a string as UTF-8 for a header, in which each character is one byte. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1')

const jsonLine = ['Content-Type', 'application/json'] as const

/** Headers that a client, a proxy or an attacker may add, each with its values. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  Accept: ['text/html', 'application/xml;q=0.9', '*/*;q=0', ';;', 'x'],
  'Accept-Language': ['x'.repeat(3000), '*;q=nonsense', '../../etc/passwd'],
  'User-Agent': ['', "' OR 1=1 --", 'x'.repeat(3000), inHeader('зонд/1.0')],
  Cookie: ['a', '=;=', `a=${'x'.repeat(3000)}`, 'a="', '__proto__=1'],
  'X-Forwarded-For': ['127.0.0.1', "1.1.1.1, '", 'unknown, '.repeat(200)],
  'X-Forwarded-Host': ['shop.invalid', 'a b', '..'],
  'X-Forwarded-Proto': ['javascript', 'https, http'],
  'X-Original-URL': ['/no-such-path', '/admin'],
  'X-Rewrite-URL': ['/no-such-path', '/admin'],
  traceparent: ['00-zz', '00-00000000000000000000000000000000-0000000000000000-00'],
  baggage: ['x'.repeat(2000), '%', 'a=b,,'],
  Origin: ['null', 'https://mail.invalid', '%'],
  'If-Match': ['*', '"x"'],
  'If-None-Match': ['*', '"x"'],
  'If-Modified-Since': ['x', 'Thu, 99 Foo 2026 00:00:00 GMT'],
  Prefer: ['respond-async'],
  'Max-Forwards': ['0'],
  TE: ['trailers'],
  Authorization: ['Basic %'],
}

const extraHeaders = Object.entries(headerValues).flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
)

const ofMessages = define(onTheWire, {
  'hostile.keys-are-rejected': {
    title: 'A key with non-ASCII characters, a key of spaces, and a key of 4,000 characters return 401.',
    requirements: ['AUTH-3', 'AUTH-4', 'ERROR-5'],
    async run(t) {
      const { apiKey } = t
      const ends = ['\u00a0', '\u0085', 'é', '\u00ff'].flatMap((end) => [apiKey + end, end + apiKey])
      const utf8 = ['ключ', `${apiKey}\u2028`, `\ufeff${apiKey}`, `${apiKey}\u200b`].map(inHeader)
      const long = [apiKey.repeat(Math.ceil(4000 / apiKey.length)), `${apiKey}${'x'.repeat(4000)}`, 'é'.repeat(4000)]
      for (const [index, key] of [...ends, ...utf8, ...long, ' ', '\t', ' '.repeat(300)].entries()) {
        const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoints')
        expectUnauthorized(t, await callHarmless(t, name, {}, { key }))
      }
    },
  },
  'hostile.paths-outside-the-prefix-need-a-key': {
    title: 'No endpoint responds outside the base path without a key, and no common file contains the key.',
    requirements: ['AUTH-1', 'AUTH-5'],
    async run(t) {
      const email = t.profile.customers.subscribed ?? t.profile.customers.unknown
      const { basePath } = t.names
      const bases = ['', '/api', '/v1', `/api${basePath}`, `${basePath}/v1`, basePath.toUpperCase(), `${basePath}/..`]
      for (const name of t.offered) {
        const { method, path } = endpoints[name]
        const query = method === 'GET' ? `?${queryOf({ ...harmlessInput(t, name), email })}` : ''
        const body = method === 'GET' ? {} : { headers: json, body: harmlessJson(t, name) }
        for (const base of bases) {
          const reply = await t.send({ method, path: base + path + query, ...body, key: null, isOutside: true })
          t.ok(!served.test(reply.text), 'no response of the endpoint without a key', reply)
        }
      }
      for (const path of ['/.env', '/.git/config', '/openapi.json', '/metrics', '/debug', '/phpinfo.php']) {
        const { text } = await t.send({ path, key: null, isOutside: true })
        t.ok(!text.includes(t.apiKey), `no key at ${path}`, 'AUTH-5')
      }
    },
  },
  'hostile.extra-headers-have-no-effect': {
    title: 'Unusual headers of clients and proxies do not change the response.',
    requirements: ['ODD-4', 'ERROR-5'],
    async run(t) {
      for (const [index, [header, value]] of extraHeaders.entries()) {
        // Two endpoints for each header, so that every endpoint receives several headers.
        for (const step of [0, 1]) {
          const name = t.offered[(2 * index + step) % t.offered.length] ?? t.skip('the shop offers no endpoints')
          const reply = await callHarmless(t, name, {}, { headers: { [header]: value } })
          expectHandled(t, reply, value)
          await expectValid(t, reply, name)
        }
      }
    },
  },
  'hostile.request-ids-are-replaced': {
    title: 'An `X-Request-Id` of thousands of characters, or with non-ASCII bytes, is replaced and causes no error.',
    requirements: ['HEADER-6', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      for (const id of ['x'.repeat(2000), 'x'.repeat(7000), inHeader('номер'), '\u00ff', "a'b", 'a\tb', '${x}']) {
        const reply = await callHarmless(t, name, {}, { headers: { 'X-Request-Id': id } })
        await expectValid(t, reply, name, 'ERROR-5')
        const returned = reply.header('X-Request-Id') ?? ''
        t.ok(/^[A-Za-z0-9._-]{1,128}$/.test(returned), 'an X-Request-Id that contains only allowed characters', reply)
      }
    }),
  },
  'hostile.extra-parameters-have-no-effect': {
    title: 'Nested, numerous and long query parameters do not change the response.',
    requirements: ['ODD-4', 'QUERY-2', 'ERROR-5'],
    run: eachGet(async (t, name) => {
      const [field = 'email'] = fieldsOf(name)[0] ?? []
      const nested = ['[]=x', '[a]=x', '.a=x', '%00=x'].map((end) => field + end)
      const pollution = ['a[b][c]=1', '__proto__[x]=1', 'constructor[prototype][x]=1', 'x[]=1&x=2', '[]=1', '?']
      for (const more of [...nested, ...pollution, `x=${'y'.repeat(4000)}`, 'a&'.repeat(500)]) {
        const reply = await sendHarmless(t, name, (path) => path, more)
        expectHandled(t, reply)
        await expectValid(t, reply, name)
      }
    }),
  },
  'hostile.bodies-with-a-coding-are-handled': {
    title:
      'A body that is compressed, or claims to be compressed, is rejected or decoded. A small body that expands to 30 MB is rejected.',
    requirements: ['ODD-2', 'ERROR-5'],
    run: eachPost(async (t, name) => {
      const plain = Buffer.from(harmlessJson(t, name))
      const whole = gzipSync(plain)
      const valid = { gzip: whole, 'x-gzip': whole, deflate: deflateSync(plain), br: brotliCompressSync(plain) }
      const invalid = { deflate: plain, br: plain, zstd: plain, compress: plain, GZIP: plain, 'gzip, gzip': whole }
      const cut = [whole.subarray(0, 12), Buffer.concat([whole, whole]), Buffer.of(), bomb()]
      const packed = [...Object.entries(valid), ...Object.entries(invalid)]
      for (const [coding, body] of [...packed, ...cut.map((end) => ['gzip', end] as const)]) {
        const headers = { ...json, 'Content-Encoding': coding }
        const reply = await t.send({ method: 'POST', path: endpoints[name].path, headers, body })
        expectNoMatch(t, reply, '', 'ODD-2')
      }
    }),
  },
  'hostile.bytes-that-are-not-utf-8-are-handled': {
    title: 'A body with bytes that are not UTF-8, or in UTF-16, is rejected or read with replacement characters.',
    requirements: ['ODD-2', 'ERROR-5'],
    run: eachPost(async (t, name) => {
      const [field = 'email'] = fieldsOf(name)[0] ?? []
      for (const hex of ['ff', 'fe', 'c328', 'c0af', 'e28028', 'eda080', 'f4908080', 'f8a1a1a1a1', '80', 'e3']) {
        for (const place of [field, 'note']) {
          const [start = '', end = ''] = JSON.stringify({ ...harmlessInput(t, name), [place]: '|' }).split('|')
          const body = Buffer.concat([Buffer.from(`${start}a`), Buffer.from(hex, 'hex'), Buffer.from(`b${end}`)])
          expectNoMatch(t, await post(t, name, body), '', 'ODD-2')
        }
      }
      for (const start of ['', '\ufeff']) {
        const utf16 = Buffer.from(start + harmlessJson(t, name), 'utf16le')
        for (const body of [utf16, Buffer.from(utf16).swap16()])
          expectNoMatch(t, await post(t, name, body), '', 'ODD-2')
      }
    }),
  },
  'hostile.http-1-0-is-supported': {
    title: 'Requests over HTTP/1.0 return the same responses as over HTTP/1.1.',
    requirements: ['ODD-3', 'ERROR-5'],
    requires: ['sockets', 'http-parser'],
    run: eachOffered(async (t, name) => {
      const { method } = endpoints[name]
      const posted = harmlessJson(t, name)
      const body = method === 'POST' ? { headers: [jsonLine, lengthOf(posted)], body: posted } : {}
      const message = { method, path: harmlessTarget(t, name), version: '1.0', ...body } as const
      await expectValid(t, await ask(t, message), name)
    }),
  },
})

export const checks: readonly Check[] = [...ofMessages, ...similar]

let bytes: Buffer | undefined

/** Returns about 30 kB that expand to 30 MB. */
function bomb(): Buffer {
  return (bytes ??= gzipSync(Buffer.alloc(30_000_000, ' ')))
}
