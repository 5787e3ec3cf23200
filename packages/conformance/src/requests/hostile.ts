import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { endpoints } from '@storeport/core'
import { type Check, onTheWire, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import {
  eachOffered,
  expectValid,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  harmlessTarget,
  json,
} from '../shop/inputs.ts'
import { expectRejected, type Outcome, toPosts } from './cases.ts'
import { ask, json as jsonHeader, lengthOf } from './raw.ts'
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

const handled: Outcome = (t, reply) => expectRejected(t, reply, '', 'ODD-2')

const ofMessages = define(onTheWire, requirements, {
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
  'hostile.bodies-with-a-coding-are-handled': toPosts(['ODD-2', 'ERROR-5'], handled, ({ json: text }) => {
    const plain = Buffer.from(text)
    const whole = gzipSync(plain)
    const valid = { gzip: whole, 'x-gzip': whole, deflate: deflateSync(plain), br: brotliCompressSync(plain) }
    const invalid = { deflate: plain, br: plain, zstd: plain, compress: plain, GZIP: plain, 'gzip, gzip': whole }
    const cut = [whole.subarray(0, 12), Buffer.concat([whole, whole]), Buffer.of(), bomb()]
    const packed = [...Object.entries(valid), ...Object.entries(invalid)]
    return [...packed, ...cut.map((end) => ['gzip', end] as const)].map(([coding, body]) => ({
      headers: { 'Content-Encoding': coding },
      body,
    }))
  }),
  'hostile.bytes-that-are-not-utf-8-are-handled': toPosts(
    ['ODD-2', 'ERROR-5'],
    handled,
    ({ name, input, json: text }) => {
      const [field = 'email'] = fieldsOf(name)[0] ?? []
      const invalid = ['ff', 'fe', 'c328', 'c0af', 'e28028', 'eda080', 'f4908080', 'f8a1a1a1a1', '80', 'e3']
      const bodies = invalid.flatMap((hex) =>
        [field, 'note'].map((place) => {
          const [start = '', end = ''] = JSON.stringify({ ...input, [place]: '|' }).split('|')
          return Buffer.concat([Buffer.from(`${start}a`), Buffer.from(hex, 'hex'), Buffer.from(`b${end}`)])
        }),
      )
      const utf16 = ['', '\ufeff'].map((start) => Buffer.from(start + text, 'utf16le'))
      return [...bodies, ...utf16, ...utf16.map((body) => Buffer.from(body).swap16())].map((body) => ({ body }))
    },
  ),
  'hostile.http-1-0-is-supported': {
    requirements: ['ODD-3', 'ERROR-5'],
    requires: ['sockets', 'http-parser'],
    run: eachOffered(async (t, name) => {
      const { method } = endpoints[name]
      const posted = harmlessJson(t, name)
      const body = method === 'POST' ? { headers: [jsonHeader, lengthOf(posted)], body: posted } : {}
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
