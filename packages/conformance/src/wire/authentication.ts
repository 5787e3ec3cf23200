import { endpointNames, endpoints } from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from '../engine/check.ts'
import { define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  eachOffered,
  expectThrough,
  expectUnauthorized,
  fieldsOf,
  json,
  sampleAnswers,
} from '../steps/inputs.ts'
import { anotherKey } from './keys.ts'

const { must, should } = about('authentication')

/** Who may call. */
export const requirements: Requirements = {
  'AUTH-1': must(
    'Every endpoint refuses a call that carries no API key header.',
    'The endpoint is mounted outside the middleware that checks the key, or the check runs only when the header is there.',
  ),
  'AUTH-2': must(
    'A call that carries the given key in the API key header is served.',
    'The server reads the key from another header, compares it with another key, or a proxy drops the header.',
  ),
  'AUTH-3': must(
    'Only the exact key is accepted: no other, shorter, longer or differently cased one.',
    'The key is compared by its start, without regard to case, after trimming, or `if (key)` is all that is asked.',
  ),
  'AUTH-4': must(
    'A missing or invalid key is answered 401 with the error body.',
    'The framework answers 403 or 400, or with its own error page in place of the error body.',
  ),
  'AUTH-5': must(
    'The key never appears in an answer.',
    'The message repeats the header that was sent, or a debug page lists the headers.',
  ),
  'AUTH-6': should(
    'The name of the API key header may be written in any letter case.',
    'Headers are looked up in a plain map by the name as it is written.',
  ),
  'AUTH-7': should(
    'The key is read from its header alone: not from the query, the body, a cookie or another header.',
    'A general authentication library also takes a bearer token, a cookie or a query parameter.',
  ),
  'AUTH-8': should(
    'A key header that is sent twice is refused.',
    'The framework hands over the first or the last of several header lines.',
  ),
  'AUTH-9': should(
    'The key is checked first, for every path below the base path: a stranger learns neither paths nor methods nor fields.',
    'The router answers unknown paths and wrong methods before the key is looked at.',
  ),
  'AUTH-10': should(
    'A 401 carries `WWW-Authenticate: ApiKey`.',
    'The 401 is written by hand, without the header that HTTP asks for.',
  ),
  'AUTH-11': should(
    'Missing, empty, wrong and repeated keys are answered alike.',
    'Missing and wrong keys are told apart in the message or the code.',
  ),
  'AUTH-12': should(
    'Several keys are valid at once, so that a key can be rotated.',
    'The server holds one key only, so that a key cannot be changed without a gap.',
  ),
}

const ofEachEndpoint = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.refuses-a-call-without-a-key`]: {
    title: `${name} without an API key is 401.`,
    requirements: ['AUTH-1', 'AUTH-4'],
    async run(t) {
      expectUnauthorized(t, await callHarmless(t, name, {}, { key: null }))
    },
  },
  [`${name}.refuses-a-wrong-key`]: {
    title: `${name} with a key of the right length that is wrong is 401.`,
    requirements: ['AUTH-3', 'AUTH-4'],
    async run(t) {
      const key = `${t.apiKey.slice(0, -1)}${t.apiKey.endsWith('x') ? 'y' : 'x'}`
      expectUnauthorized(t, await callHarmless(t, name, {}, { key }))
    },
  },
  [`${name}.looks-at-the-key-first`]: {
    title: `Without a key, whatever else is wrong with a call of ${name} is 401: method, content type, size, JSON or fields.`,
    requirements: ['AUTH-9', 'AUTH-4'],
    async run(t) {
      const { method, path } = endpoints[name]
      const [field] = fieldsOf(name)[0] ?? ['email']
      const long = { headers: { 'Content-Type': 'text/plain' }, body: `{"padding":"${'x'.repeat(64 * 1024)}` }
      // Two faults in one call where either would show: shops count wrong keys.
      const faults: readonly RawRequest[] =
        method === 'POST'
          ? [{ path }, { method, path, ...long }, { method, path, headers: json, body: '{}' }]
          : [{ method: 'DELETE', path, ...long }, { path: `${path}?${field}=a&${field}=b` }]
      for (const fault of faults) expectUnauthorized(t, await t.send({ ...fault, key: null }))
    },
  },
}))

const inGeneral = define(onTheWire, {
  'authentication.accepts-the-given-key': {
    title: 'A call with the given key is let in.',
    requirements: ['AUTH-2'],
    run: eachOffered(async (t, name) => {
      await expectThrough(t, await callHarmless(t, name), name)
    }),
  },
  'authentication.reads-the-key-from-neither-query-nor-body': {
    title: 'The key in the query or in the body is 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    // Changes nothing, but an address with a key in it ends up in the logs of a shop: not on production.
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
    title: 'The API key header may be written in lower or upper case.',
    requirements: ['AUTH-6'],
    async run(t) {
      const name = anyEndpoint(t)
      for (const header of [t.names.apiKeyHeader.toLowerCase(), t.names.apiKeyHeader.toUpperCase()]) {
        await expectThrough(t, await callHarmless(t, name, {}, { key: null, headers: { [header]: t.apiKey } }), name)
      }
    },
  },
  'authentication.comes-before-everything-else': {
    title: 'Without a key an unknown path, a wrong method and an unreadable body are 401 too.',
    requirements: ['AUTH-9', 'AUTH-4'],
    async run(t) {
      const name = anyEndpoint(t)
      const { path } = endpoints[name]
      const paths = ['/no-such-path', '/', `${path}/`, path.toUpperCase(), `${path}?email=a&email=b`]
      const strangers: readonly RawRequest[] = [
        ...paths.map((other) => ({ path: other })),
        ...['DELETE', 'OPTIONS'].map((method) => ({ method, path })),
        { method: 'PUT', path: '/no-such-path', headers: json, body: '{}' },
        { method: 'POST', path, headers: json, body: '{"email":' },
      ]
      for (const stranger of strangers) expectUnauthorized(t, await t.send({ ...stranger, key: null }))
      t.status(await t.send({ method: 'HEAD', path, key: null }), 401)
    },
  },
  'authentication.names-its-scheme': {
    title: 'A 401 carries `WWW-Authenticate: ApiKey`.',
    requirements: ['AUTH-10'],
    async run(t) {
      for (const key of [null, '', anotherKey, [t.apiKey, t.apiKey]]) {
        const reply = await anyCall(t, { key })
        t.equal(reply.header('WWW-Authenticate'), 'ApiKey', 'WWW-Authenticate', reply)
      }
    },
  },
  'authentication.answers-all-strangers-alike': {
    title: 'Missing, empty, wrong and repeated keys get the same answer, at known and unknown paths.',
    requirements: ['AUTH-11'],
    async run(t) {
      const missing = await anyCall(t, { key: null })
      const others = [await t.send({ path: '/no-such-path', key: null })]
      for (const key of ['', anotherKey, [t.apiKey, t.apiKey]]) others.push(await anyCall(t, { key }))
      for (const other of others) t.equal(other.json, missing.json, 'the body of the answer to a missing key', other)
    },
  },
  'authentication.accepts-a-rotated-key': {
    title: 'A second key is let in while the first one still is.',
    requirements: ['AUTH-12'],
    async run(t) {
      const key = t.secondApiKey ?? t.skip('no second API key was given')
      for (const name of t.offered) {
        await expectThrough(t, await callHarmless(t, name, {}, { key }), name)
        await expectThrough(t, await callHarmless(t, name), name, 'AUTH-2')
      }
      expectUnauthorized(t, await anyCall(t, { key: `${t.apiKey}, ${key}` }))
    },
  },
  'authentication.keeps-the-key-to-itself': {
    title: 'No answer holds the key.',
    requirements: ['AUTH-5'],
    async run(t) {
      for (const reply of [...(await sampleAnswers(t)), await anyCall(t, { key: anotherKey })]) {
        const everything = [reply.text, ...reply.headers.map(([, value]) => value)].join('\n')
        const keys = [t.apiKey, t.secondApiKey ?? t.apiKey, anotherKey]
        const holdsKey = keys.some((key) => everything.includes(key))
        // Without the reply, since a failure is printed.
        t.that(!holdsKey, `no key in the answer to ${reply.request.method} ${reply.request.target}`)
      }
    },
  },
})

/** Who may call. */
export const checks: readonly Check[] = [...ofEachEndpoint, ...inGeneral]

function anyEndpoint(t: CheckContext) {
  return t.offered[0] ?? t.skip('the shop offers no endpoint')
}

async function anyCall(t: CheckContext, options: CallOptions): Promise<Reply> {
  const name = anyEndpoint(t)
  return callHarmless(t, name, {}, options)
}
