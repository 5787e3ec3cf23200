import { endpoints } from '@storeport/core'
import { type Check, type Common, define, type RawMessage } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { callHarmless, eachOffered, expectThrough, harmlessJson, harmlessTarget, offeredOf } from '../steps/inputs.ts'
import { answerOf, anyPost, ask, asChunks, expectTurnedAway, lengthOf, type Line } from './lengths.ts'

const { should } = about('http')

/** What holds below the API: of connections, lengths and what HTTP forbids. */
export const requirements: Requirements = {
  'HTTP-2': should(
    'A request whose length is said twice, wrongly, or also in chunks is refused and has no effect.',
    'The first, the last or the larger of two lengths counts: a proxy in front may have read another one.',
  ),
  'HTTP-3': should(
    'A body in chunks is read, with extensions and trailers; one whose chunks are malformed is refused and has no effect.',
    'Chunks are taken apart by hand, by their simplest form alone.',
  ),
  'HTTP-4': should(
    'Of a target that is an absolute address the path counts.',
    'The whole target is compared with the paths: calls through some proxies are 404.',
  ),
  'HTTP-5': should(
    '`Expect: 100-continue` is answered with `100 Continue` or the final answer, before the body is there.',
    'The header is not looked at: callers that send it wait a second or more before each body.',
  ),
  'HTTP-6': should(
    'CONNECT is refused, and a request to change the protocol is answered in the one that there is.',
    'A proxy or a WebSocket library listens on the same server.',
  ),
  'HTTP-7': should(
    'A body on a GET is passed over: it fills no field and is not taken for the next request.',
    'The body is left on the connection, where the next request is expected.',
  ),
  'HTTP-8': should(
    'A call whose body is not there as a whole has no effect.',
    'What has arrived when the connection ends is taken for the body.',
  ),
  'HTTP-9': should(
    'What the HTTP parser refuses has the headers of every answer, and the connection is closed after it.',
    'The refusal of the parser is written by hand, or by the framework.',
  ),
  'HTTP-10': should(
    'What HTTP forbids is refused: no `Host` or two, a space before a colon, a NUL, an unknown transfer coding.',
    'The parser is lenient, so that it may read a request otherwise than a proxy in front of it.',
  ),
  'HTTP-11': should(
    'Calls that are sent one behind the other on a connection are answered in their order.',
    'The second call is read off the connection with the first one and lost, or is answered first.',
  ),
}

const json: Line = ['Content-Type', 'application/json']
const chunked: Line = ['Transfer-Encoding', 'chunked']

const common: Common = { mode: 'read-only', layer: 'wire', needs: [], requires: ['sockets'] }

/** What holds below the API, on connections of its own. */
export const checks: readonly Check[] = define(common, {
  'http.reads-absolute-targets': {
    title: 'A request line with an absolute address is answered by its path, whatever host it names.',
    requirements: ['HTTP-4'],
    run: eachOffered(async (t, name) => {
      const { method } = endpoints[name]
      const body = harmlessJson(t, name)
      const message = { method, path: harmlessTarget(t, name) }
      const more = method === 'POST' ? { headers: [json, lengthOf(body)], body } : {}
      for (const named of [undefined, 'shop.example']) {
        const target = (path: string, host: string) => `http://${named ?? host}${path}`
        await expectThrough(t, await ask(t, { ...message, ...more, target }), name)
      }
    }),
  },
  'http.answers-expect-continue': {
    title: 'A caller that waits for `100 Continue` before its body is answered.',
    requirements: ['HTTP-5'],
    async run(t) {
      const [name, body] = anyPost(t)
      const caller = await t.connect()
      const headers = [json, lengthOf(body), ['Expect', '100-continue'] as const]
      caller.request({ method: 'POST', path: endpoints[name].path, headers })
      const first = await answerOf(t, caller)
      t.status(first, 100)
      caller.write(body)
      await expectThrough(t, await answerOf(t, caller), name)
    },
  },
  'http.opens-no-tunnel': {
    title: 'CONNECT is refused; a GET that asks for another protocol is answered as usual.',
    requirements: ['HTTP-6'],
    async run(t) {
      const tunnel = await t.connect()
      tunnel.request({ method: 'CONNECT', path: '', target: () => 'shop.example:443' })
      const refusal = await tunnel.reply()
      t.that(refusal === undefined || refusal.status >= 400, 'a refusal of CONNECT', refusal)
      const [name] = offeredOf(t, 'query')
      for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
        const asking = { Connection: 'Upgrade', Upgrade: protocol, 'Sec-WebSocket-Version': '13' }
        const headers = Object.entries({ ...asking, 'Sec-WebSocket-Key': 'c3RvcmVwb3J0LWtpdC0wMQ==' })
        await expectThrough(t, await ask(t, { path: harmlessTarget(t, name), headers }), name)
      }
    },
  },
  'http.passes-over-a-body-on-get': {
    title: 'A body on a GET fills in no field, and the next call on the connection is answered as usual.',
    requirements: ['HTTP-7'],
    async run(t) {
      const { subscribed, unknown } = t.profile.customers
      const hidden = `GET ${t.names.basePath}/no-such-path HTTP/1.1\r\nHost: shop.example\r\n\r\n`
      for (const name of offeredOf(t, 'query')) {
        for (const body of [JSON.stringify({ email: subscribed ?? unknown }), hidden]) {
          for (const more of [
            { headers: [json, lengthOf(body)], body },
            { headers: [json, chunked], body: asChunks(body) },
          ]) {
            const caller = await t.connect()
            caller.request({ path: harmlessTarget(t, name), ...more })
            const reply = await answerOf(t, caller)
            const isLast = reply.header('Connection')?.toLowerCase() === 'close'
            // To refuse such a call is allowed, and so is to answer no other one behind it.
            if (reply.status !== 400 || !isLast) await expectThrough(t, reply, name)
            if (isLast) continue
            caller.request({ path: harmlessTarget(t, name) })
            await expectThrough(t, await answerOf(t, caller), name)
          }
        }
      }
    },
  },
  'http.serves-others-beside-a-slow-body': {
    title: 'While one body is half there every endpoint answers others, and the body is read to its end.',
    requirements: ['STATE-4'],
    async run(t) {
      const [name, body] = anyPost(t)
      const caller = await t.connect()
      const headers = [json, lengthOf(body)]
      caller.request({ method: 'POST', path: endpoints[name].path, headers, body: body.slice(0, 10) })
      for (const other of t.offered) await expectThrough(t, await callHarmless(t, other), other)
      caller.write(body.slice(10))
      await expectThrough(t, await answerOf(t, caller), name)
    },
  },
  'http.answers-pipelined-calls-in-order': {
    title: 'Three calls in one piece get three answers in their order.',
    requirements: ['HTTP-11'],
    async run(t) {
      const [name] = offeredOf(t, 'query')
      const known = await callHarmless(t, name)
      const nowhere = await t.send({ path: '/no-such-path' })
      const caller = await t.connect()
      for (const path of ['/no-such-path', harmlessTarget(t, name), '/no-such-path']) caller.request({ path })
      for (const expected of [nowhere, known, nowhere]) {
        const reply = await answerOf(t, caller)
        t.equal([reply.status, errorCodeOf(reply)], [expected.status, errorCodeOf(expected)], 'the answer', reply)
      }
    },
  },
  'http.refuses-malformed-headers': {
    title: 'A header with a space before its colon, without a colon or with a NUL is refused.',
    requirements: ['HTTP-10'],
    async run(t) {
      const [name = t.skip('the shop offers no endpoint')] = t.offered
      const lines = { 'X-Space ': 'x', 'X Space': 'x', 'X-Nul': 'a\u0000b', '': 'x' }
      for (const line of Object.entries(lines)) {
        const caller = await t.connect()
        caller.request({ path: harmlessTarget(t, name), method: 'GET', headers: [line] })
        expectTurnedAway(t, await caller.reply())
      }
      const path = t.names.basePath + endpoints[name].path
      for (const line of [`GET ${path} y HTTP/1.1`, `GET ${path} HTTP/9.9`, `GET ${path} x`]) {
        const caller = await t.connect()
        caller.write(`${line}\r\nHost: shop.example\r\n${t.names.apiKeyHeader}: ${t.apiKey}\r\n\r\n`)
        expectTurnedAway(t, await caller.reply())
      }
    },
  },
  'http.refusals-have-the-usual-headers': {
    title:
      'What the HTTP parser refuses is in the error body, with the headers of every answer, and closes the connection.',
    requirements: ['HTTP-9', 'HTTP-10', 'HTTP-1'],
    requires: ['sockets', 'http-parser'],
    async run(t) {
      const { path } = endpoints[offeredOf(t, 'body')[0]]
      const posted = { path, method: 'POST', body: '{}' }
      const hosts = ['shop.example', 'other.example'].map((host): Line => ['Host', host])
      const faulty: Readonly<Record<string, RawMessage>> = {
        'a space before a colon': { path, headers: [['X-Space ', 'x']] },
        'two lengths': { ...posted, headers: [json, ['Content-Length', '2'], ['Content-Length', '3']] },
        'no Host': { path, withoutHost: true },
        'two Hosts': { path, headers: hosts },
        'an unknown transfer coding': { ...posted, headers: [json, ['Transfer-Encoding', 'gzip']] },
        'a broken chunk': { ...posted, headers: [json, chunked], body: 'zz\r\n{}\r\n0\r\n\r\n' },
        CONNECT: { path: '', method: 'CONNECT', target: () => 'shop.example:443' },
      }
      for (const [fault, message] of Object.entries(faulty)) {
        const caller = await t.connect()
        caller.request(message)
        const reply = await caller.reply()
        if (reply === undefined) return t.that(false, `an answer to ${fault}`)
        t.that(reply.status >= 400 && reply.status < 500, `a refusal of ${fault}`, reply, 'HTTP-10')
        t.errorBody(reply, 'HTTP-1')
        const type = reply.header('Content-Type')?.toLowerCase().replace(/\s/g, '')
        t.equal(type, 'application/json;charset=utf-8', 'Content-Type', reply)
        t.equal(reply.header('Cache-Control'), 'no-store', 'Cache-Control', reply)
        t.equal(reply.header('X-Content-Type-Options'), 'nosniff', 'X-Content-Type-Options', reply)
        t.that((reply.header('X-Request-Id') ?? '') !== '', 'an X-Request-Id', reply)
        t.equal(reply.header('Connection')?.toLowerCase(), 'close', 'Connection', reply)
        await caller.closed()
      }
    },
  },
})
