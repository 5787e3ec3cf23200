import { endpoints } from '@storeport/core'
import { type Check, type RawMessage, define, onTheWire, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { callHarmless, eachOffered, expectValid, harmlessJson, harmlessTarget, offeredOf } from '../shop/inputs.ts'
import { expectStandardHeaders } from './headers.ts'
import { chunked, json, nextReply, findPost, ask, asChunks, expectParserRejection, lengthOf, type Line } from './raw.ts'

const { should } = about('http')

export const requirements: Requirements = {
  'HTTP-2': should(
    'A request with conflicting or invalid `Content-Length` values, or with both `Content-Length` and chunked encoding, is rejected and has no effect.',
    'The server uses one of the two lengths, and a proxy in front of the server may use the other length.',
  ),
  'HTTP-3': should(
    'A request with a chunked body is accepted, including chunk extensions and trailers. A request with malformed chunks is rejected and has no effect.',
    'A custom parser supports only the simplest form of chunked encoding.',
  ),
  'HTTP-4': should(
    'If the request target is an absolute URL, its path selects the endpoint.',
    'The router compares the whole target, so requests through some proxies return 404. Use only the path of an absolute URL.',
  ),
  'HTTP-5': should(
    'The server responds to `Expect: 100-continue` with `100 Continue` or the final response before the body is sent.',
    'The server ignores the header, so clients that use the header wait a second or more before they send each body.',
  ),
  'HTTP-6': should(
    'A CONNECT request is rejected. The server returns a normal HTTP response to a protocol upgrade request.',
    'A proxy or a WebSocket library listens on the same server.',
  ),
  'HTTP-7': should(
    'The body of a GET is ignored. Its fields are not used, and it is not parsed as the next request.',
    'The body remains unread on the connection and is parsed as the next request.',
  ),
  'HTTP-8': should('A request with an incomplete body has no effect.', 'A partial body is processed.'),
  'HTTP-9': should(
    'The response to a request that the HTTP parser rejects has the standard headers, and the connection is closed.',
    'The HTTP server or the framework writes this response itself. Configure its handler for malformed requests.',
  ),
  'HTTP-10': should(
    'A request that violates HTTP is rejected. Examples are a missing or repeated `Host` header, a space before a colon, a NUL and an unknown transfer coding.',
    'The parser is lenient and may interpret a request differently from a proxy in front of the server.',
  ),
  'HTTP-11': should(
    'The responses to pipelined requests on one connection are in the order of the requests.',
    'The second request is read together with the first request and is lost, or its response is sent first.',
  ),
}

export const checks: readonly Check[] = define({ ...onTheWire, requires: ['sockets'] }, requirements, {
  'http.reads-absolute-targets': {
    requirements: ['HTTP-4'],
    run: eachOffered(async (t, name) => {
      const { method } = endpoints[name]
      const body = harmlessJson(t, name)
      const message = { method, path: harmlessTarget(t, name) }
      const more = method === 'POST' ? { headers: [json, lengthOf(body)], body } : {}
      for (const named of [undefined, 'shop.example']) {
        const target = (path: string, host: string) => `http://${named ?? host}${path}`
        await expectValid(t, await ask(t, { ...message, ...more, target }), name)
      }
    }),
  },
  'http.handles-expect-continue': tests(['HTTP-5'], async (t) => {
    const [name, body] = findPost(t)
    const headers = [json, lengthOf(body), ['Expect', '100-continue'] as const]
    const caller = await t.connect({ method: 'POST', path: endpoints[name].path, headers })
    const first = await nextReply(t, caller)
    t.status(first, 100)
    caller.write(body)
    await expectValid(t, await nextReply(t, caller), name)
  }),
  'http.opens-no-tunnel': tests(['HTTP-6'], async (t) => {
    const tunnel = await t.connect({ method: 'CONNECT', path: '', target: () => 'shop.example:443' })
    const refusal = await tunnel.reply()
    t.ok(refusal === undefined || refusal.status >= 400, 'a rejection of CONNECT', refusal)
    const [name] = offeredOf(t, 'query')
    for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
      const upgrade = { Connection: 'Upgrade', Upgrade: protocol, 'Sec-WebSocket-Version': '13' }
      const headers = Object.entries({ ...upgrade, 'Sec-WebSocket-Key': 'c3RvcmVwb3J0LWtpdC0wMQ==' })
      await expectValid(t, await ask(t, { path: harmlessTarget(t, name), headers }), name)
    }
  }),
  'http.ignores-a-body-on-get': tests(['HTTP-7'], async (t) => {
    const { subscribed, unknown } = t.profile.customers
    const hidden = `GET ${t.names.basePath}/no-such-path HTTP/1.1\r\nHost: shop.example\r\n\r\n`
    const bodies = [JSON.stringify({ email: subscribed ?? unknown }), hidden].flatMap((body) => [
      { headers: [json, lengthOf(body)], body },
      { headers: [json, chunked], body: asChunks(body) },
    ])
    for (const name of offeredOf(t, 'query')) {
      for (const message of bodies) {
        const caller = await t.connect({ path: harmlessTarget(t, name), ...message })
        const reply = await nextReply(t, caller)
        const isLast = caller.isLast()
        // The server may reject a GET request that has a body with 400, but only if it then closes the connection.
        if (reply.status !== 400 || !isLast) await expectValid(t, reply, name)
        if (isLast) continue
        caller.request({ path: harmlessTarget(t, name) })
        await expectValid(t, await nextReply(t, caller), name)
      }
    }
  }),
  'http.serves-other-requests-during-a-slow-body': {
    title: 'While the body of one request is incomplete, every endpoint responds to other requests.',
    requirements: ['STATE-4'],
    async run(t) {
      const [name, body] = findPost(t)
      const headers = [json, lengthOf(body)]
      const caller = await t.connect({ method: 'POST', path: endpoints[name].path, headers, body: body.slice(0, 10) })
      for (const other of t.offered) await expectValid(t, await callHarmless(t, other), other)
      caller.write(body.slice(10))
      await expectValid(t, await nextReply(t, caller), name)
    },
  },
  'http.handles-pipelined-requests-in-order': tests(['HTTP-11'], async (t) => {
    const [name] = offeredOf(t, 'query')
    const known = await callHarmless(t, name)
    const first = await t.connect({ path: '/no-such-path' })
    const nowhere = await nextReply(t, first)
    // A server that closes the connection after a response can also lose this response, if further requests arrive.
    if (first.isLast()) t.skip('the server closes the connection after each response, as it announces')
    const caller = await t.connect()
    for (const path of ['/no-such-path', harmlessTarget(t, name), '/no-such-path']) caller.request({ path })
    const parts = (reply: Reply) => [reply.status, errorCodeOf(reply)]
    for (const expected of [nowhere, known, nowhere]) {
      const reply = await nextReply(t, caller)
      t.equal(parts(reply), parts(expected), 'status and error code', reply)
    }
  }),
  'http.rejects-malformed-headers': tests(['HTTP-10'], async (t) => {
    const [name = t.skip('the shop offers no endpoints')] = t.offered
    const lines = { 'X-Space ': 'x', 'X Space': 'x', 'X-Nul': 'a\u0000b', '': 'x' }
    for (const line of Object.entries(lines)) {
      const caller = await t.connect({ path: harmlessTarget(t, name), method: 'GET', headers: [line] })
      expectParserRejection(t, await caller.reply())
    }
    const path = t.names.basePath + endpoints[name].path
    for (const line of [`GET ${path} y HTTP/1.1`, `GET ${path} HTTP/9.9`, `GET ${path} x`]) {
      const caller = await t.connect()
      caller.write(`${line}\r\nHost: shop.example\r\n${t.names.apiKeyHeader}: ${t.apiKey}\r\n\r\n`)
      expectParserRejection(t, await caller.reply())
    }
  }),
  'http.rejections-have-the-standard-headers': {
    requirements: ['HTTP-9', 'HTTP-10', 'HTTP-1'],
    requires: ['sockets', 'http-parser'],
    async run(t) {
      const { path } = endpoints[offeredOf(t, 'body')[0]]
      const posted = { path, method: 'POST', body: '{}' }
      const hosts = ['shop.example', 'other.example'].map((host): Line => ['Host', host])
      const faulty: Readonly<Record<string, RawMessage>> = {
        'a space before a colon': { path, headers: [['X-Space ', 'x']] },
        'two Content-Length headers': { ...posted, headers: [json, ['Content-Length', '2'], ['Content-Length', '3']] },
        'no Host header': { path, withoutHost: true },
        'two Host headers': { path, headers: hosts },
        'an unknown transfer coding': { ...posted, headers: [json, ['Transfer-Encoding', 'gzip']] },
        'a malformed chunk': { ...posted, headers: [json, chunked], body: 'zz\r\n{}\r\n0\r\n\r\n' },
        'the method CONNECT': { path: '', method: 'CONNECT', target: () => 'shop.example:443' },
      }
      for (const [fault, message] of Object.entries(faulty)) {
        const caller = await t.connect(message)
        const reply = await caller.reply()
        if (reply === undefined) return t.ok(false, `a response to a request with ${fault}`)
        // GET is not allowed at this path, so 405 means that the parser accepted the request.
        const isAccepted = reply.status === 405 && message.method !== 'CONNECT'
        const isRejection = reply.status >= 400 && reply.status < 500 && !isAccepted
        t.ok(isRejection, `a rejection of a request with ${fault}`, reply, 'HTTP-10')
        t.errorBody(reply, 'HTTP-1')
        expectStandardHeaders(t, reply, 'HTTP-9')
        t.equal(reply.header('Connection')?.toLowerCase(), 'close', 'Connection', reply)
        await caller.closed()
      }
    },
  },
})
