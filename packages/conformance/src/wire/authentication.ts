import { endpointNames, endpoints } from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from '../engine/check.ts'
import { define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  eachOffered,
  expectValid,
  expectUnauthorized,
  fieldsOf,
  json,
  sampleAnswers,
} from '../shop/inputs.ts'
import { anotherKey } from './keys.ts'

const { must, should } = about('authentication')

export const requirements: Requirements = {
  'AUTH-1': must(
    'Every endpoint rejects a request without an API key header.',
    'The endpoint is mounted outside the authentication middleware, or the middleware runs only if the header is present.',
  ),
  'AUTH-2': must(
    'A request with the configured key in the API key header is accepted.',
    'The server reads another header or compares with another key, or a proxy removes the header.',
  ),
  'AUTH-3': must(
    'A request is accepted only with the exact key, not with a shorter, longer or differently cased key.',
    'The comparison uses a prefix, ignores case or trims the key, or the server only checks that a key is present.',
  ),
  'AUTH-4': must(
    'A request with a missing or invalid key returns 401 with the error body.',
    'The framework returns 403 or 400, or its own error page instead of the error body.',
  ),
  'AUTH-5': must(
    'The key never appears in a response.',
    'An error message repeats the header, or a debug page lists all headers.',
  ),
  'AUTH-6': should(
    'The name of the API key header is case-insensitive.',
    'Headers are looked up in a map by their exact name.',
  ),
  'AUTH-7': should(
    'The key is read only from its header, not from the query, the body, a cookie or another header.',
    'A generic authentication library also accepts a bearer token, a cookie or a query parameter.',
  ),
  'AUTH-8': should(
    'A request with two key headers is rejected.',
    'The framework provides only the first or the last of several header lines.',
  ),
  'AUTH-9': should(
    'The key is checked first, for every path below the base path. A request without a valid key reveals no paths, methods or fields.',
    'The router rejects unknown paths and methods before the key is checked.',
  ),
  'AUTH-10': should(
    'A 401 response has the header `WWW-Authenticate: ApiKey`.',
    'The 401 response is built without the header that HTTP requires. Add `WWW-Authenticate: ApiKey`.',
  ),
  'AUTH-11': should(
    'The response is the same for missing, empty, invalid and repeated keys.',
    'The message or the code distinguishes missing keys from invalid keys.',
  ),
  'AUTH-12': should(
    'Several keys can be valid at the same time, so that a key can be rotated.',
    'The server supports only one key, so a key change causes downtime.',
  ),
}

const endpointChecks = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.rejects-a-request-without-a-key`]: {
    title: `A request to ${name} without an API key returns 401.`,
    requirements: ['AUTH-1', 'AUTH-4'],
    async run(t) {
      expectUnauthorized(t, await callHarmless(t, name, {}, { key: null }))
    },
  },
  [`${name}.rejects-an-invalid-key`]: {
    title: `A request to ${name} with an invalid key of the correct length returns 401.`,
    requirements: ['AUTH-3', 'AUTH-4'],
    async run(t) {
      const key = `${t.apiKey.slice(0, -1)}${t.apiKey.endsWith('x') ? 'y' : 'x'}`
      expectUnauthorized(t, await callHarmless(t, name, {}, { key }))
    },
  },
  [`${name}.checks-the-key-first`]: {
    title: `A request to ${name} without a key returns 401, even if the method, content type, size, JSON or fields are also invalid.`,
    requirements: ['AUTH-9', 'AUTH-4'],
    async run(t) {
      const { method, path } = endpoints[name]
      const [field] = fieldsOf(name)[0] ?? ['email']
      const long = { headers: { 'Content-Type': 'text/plain' }, body: `{"padding":"${'x'.repeat(64 * 1024)}` }
      // Combines two faults in one request if possible, since shops limit the number of requests without a valid key.
      const faults: readonly RawRequest[] =
        method === 'POST'
          ? [{ path }, { method, path, ...long }, { method, path, headers: json, body: '{}' }]
          : [{ method: 'DELETE', path, ...long }, { path: `${path}?${field}=a&${field}=b` }]
      const sendable = faults.filter((fault) => t.maySend(fault.method ?? 'GET'))
      for (const fault of sendable) expectUnauthorized(t, await t.send({ ...fault, key: null }))
    },
  },
}))

const generalChecks = define(onTheWire, {
  'authentication.accepts-the-given-key': {
    title: 'A request with the configured key is accepted.',
    requirements: ['AUTH-2'],
    run: eachOffered(async (t, name) => {
      await expectValid(t, await callHarmless(t, name), name)
    }),
  },
  'authentication.ignores-a-key-in-query-or-body': {
    title: 'A request with the key in the query or in the body returns 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    // Not `read-only`, because access logs may store the URL with the key.
    mode: 'write',
    async run(t) {
      const header = t.names.apiKeyHeader
      for (const name of [header, header.toLowerCase(), 'api_key', 'apikey', 'apiKey', 'key', 'token']) {
        const { path } = endpoints[anyEndpoint(t)]
        expectUnauthorized(t, await t.send({ path: `${path}?${name}=${encodeURIComponent(t.apiKey)}`, key: null }))
        const body = JSON.stringify({ [name]: t.apiKey })
        expectUnauthorized(t, await t.send({ method: 'POST', path, key: null, headers: json, body }))
      }
    },
  },
  'authentication.ignores-the-letter-case-of-the-header-name': {
    title: 'The name of the API key header can be lowercase or uppercase.',
    requirements: ['AUTH-6'],
    async run(t) {
      const name = anyEndpoint(t)
      for (const header of [t.names.apiKeyHeader.toLowerCase(), t.names.apiKeyHeader.toUpperCase()]) {
        await expectValid(t, await callHarmless(t, name, {}, { key: null, headers: { [header]: t.apiKey } }), name)
      }
    },
  },
  'authentication.comes-first': {
    title: 'A request without a key returns 401, even with an unknown path, a wrong method or an unreadable body.',
    requirements: ['AUTH-9', 'AUTH-4'],
    async run(t) {
      const name = anyEndpoint(t)
      const { path } = endpoints[name]
      const paths = ['/no-such-path', '/', `${path}/`, path.toUpperCase(), `${path}?email=a&email=b`]
      const requests: readonly RawRequest[] = [
        ...paths.map((other) => ({ path: other })),
        ...['DELETE', 'OPTIONS'].map((method) => ({ method, path })),
        { method: 'PUT', path: '/no-such-path', headers: json, body: '{}' },
        { method: 'POST', path, headers: json, body: '{"email":' },
      ]
      const sendable = requests.filter((request) => t.maySend(request.method ?? 'GET'))
      for (const request of sendable) expectUnauthorized(t, await t.send({ ...request, key: null }))
      t.status(await t.send({ method: 'HEAD', path, key: null }), 401)
    },
  },
  'authentication.names-the-scheme': {
    title: 'A 401 response has the header `WWW-Authenticate: ApiKey`.',
    requirements: ['AUTH-10'],
    async run(t) {
      for (const key of [null, '', anotherKey, [t.apiKey, t.apiKey]]) {
        const reply = await anyCall(t, { key })
        t.equal(reply.header('WWW-Authenticate'), 'ApiKey', 'WWW-Authenticate', reply)
      }
    },
  },
  'authentication.returns-the-same-401-for-every-path': {
    title: 'The response is the same for missing, empty, invalid and repeated keys, at known and unknown paths.',
    requirements: ['AUTH-11'],
    async run(t) {
      const missing = await anyCall(t, { key: null })
      const others = [await t.send({ path: '/no-such-path', key: null })]
      for (const key of ['', anotherKey, [t.apiKey, t.apiKey]]) others.push(await anyCall(t, { key }))
      for (const other of others)
        t.equal(other.json, missing.json, 'the body of the response to a request without a key', other)
    },
  },
  'authentication.accepts-a-rotated-key': {
    title: 'A request with the second key is accepted while the first key is still valid.',
    requirements: ['AUTH-12'],
    async run(t) {
      const key = t.secondApiKey ?? t.skip('no second API key was given')
      for (const name of t.offered) {
        await expectValid(t, await callHarmless(t, name, {}, { key }), name)
        await expectValid(t, await callHarmless(t, name), name, 'AUTH-2')
      }
      expectUnauthorized(t, await anyCall(t, { key: `${t.apiKey}, ${key}` }))
    },
  },
  'authentication.never-returns-the-key': {
    title: 'No response contains the key.',
    requirements: ['AUTH-5'],
    async run(t) {
      for (const reply of [...(await sampleAnswers(t)), await anyCall(t, { key: anotherKey })]) {
        const everything = [reply.text, ...reply.headers.map(([, value]) => value)].join('\n')
        const keys = [t.apiKey, t.secondApiKey ?? t.apiKey, anotherKey]
        const holdsKey = keys.some((key) => everything.includes(key))
        // Does not pass the reply to the failure, since the report would print the response with the key.
        t.ok(!holdsKey, `no key in the response to ${reply.request.method} ${reply.request.target}`)
      }
    },
  },
})

export const checks: readonly Check[] = [...endpointChecks, ...generalChecks]

function anyEndpoint(t: CheckContext) {
  return t.offered[0] ?? t.skip('the shop offers no endpoints')
}

async function anyCall(t: CheckContext, options: CallOptions): Promise<Reply> {
  const name = anyEndpoint(t)
  return callHarmless(t, name, {}, options)
}
