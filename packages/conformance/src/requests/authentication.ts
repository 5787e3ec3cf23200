import { createHash } from 'node:crypto'
import { endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, onTheWire, define, defineEach, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { callHarmless, expectUnauthorized, expectValid, fieldsOf, sampleAnswers } from '../shop/inputs.ts'
import { inTurn, type Row, sendRow, sendRows, toEach } from './cases.ts'

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
  'AUTH-5': must('The key never appears in a response.', 'An error message repeats the header, or a page lists it.'),
  'AUTH-6': should('The name of the API key header is case-insensitive.', 'Header names are compared exactly.'),
  'AUTH-7': should(
    'The key is read only from its header, not from the query, the body, a cookie or another header.',
    'A generic authentication library also accepts a bearer token, a cookie or a query parameter.',
  ),
  'AUTH-8': should('A request with two key headers is rejected.', 'The framework provides only one of the lines.'),
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

/** An API key that shops do not accept. */
const anotherKey = 'another-key-0123456789'

/** Encodes a string as UTF-8 for a header, in which each character is one byte. */
export const inHeader = (text: string) => Buffer.from(text).toString('latin1')

/** Returns keys that differ from the valid key, by the way in which a lenient comparison would accept them. */
const otherKeys = (key: string) => {
  const start = key.slice(0, -1)
  const bytes = Buffer.from(key)
  const sha256 = createHash('sha256').update(key).digest()
  const escaped = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
  const halves = [key.slice(0, Math.ceil(key.length / 2)), key.slice(Math.floor(key.length / 2))]
  return Object.values({
    parts: ['', start, key.slice(1), key.slice(0, 1), ...halves],
    longer: [`${key}x`, `x${key}`, `${key}${key}`, `${key}\\n`, `${key}/`, `"${key}"`, `'${key}'`],
    named: [`Bearer ${key}`, `ApiKey ${key}`, `Token ${key}`, `key=${key}`],
    letters: [key.toUpperCase(), key.toLowerCase(), [...key].toReversed().join('')],
    words: ['undefined', 'null', 'true', ' ', '\t', ' '.repeat(300)],
    lists: [`${key},${key}`, `${key}, ${anotherKey}`, `${anotherKey}, ${key}`, `${key} ${anotherKey}`, `["${key}"]`],
    hashes: [sha256.toString('hex'), `sha256:${sha256.toString('hex')}`, sha256.toString('base64')],
    otherHashes: [createHash('sha1').update(key).digest('hex')],
    encoded: [bytes.toString('base64'), bytes.toString('hex'), escaped],
    patterns: [`${start}%`, `${start}_`, `${start}*`, '%', '*', '.*'],
    latin1: ['\u00a0', '\u0085', 'é', '\u00ff'].flatMap((end) => [key + end, end + key]),
    utf8: ['ключ', `${key}\u2028`, `\ufeff${key}`, `${key}\u200b`].map(inHeader),
    long: [key.repeat(Math.ceil(4000 / key.length)), `${key}${'x'.repeat(4000)}`, 'é'.repeat(4000)],
  }).flat()
}

const longText = { type: 'text/plain', body: `{"padding":"${'x'.repeat(64 * 1024)}` }

const ofEndpoints = defineEach(endpointNames, onTheWire, requirements, (name) => ({
  'requires-the-key': {
    title:
      'A request without a key or with an invalid key of the correct length returns 401, even if the method, content type, size, JSON or fields are also invalid.',
    requirements: ['AUTH-1', 'AUTH-3', 'AUTH-9', 'AUTH-4'],
    async run(t) {
      const [field] = fieldsOf(name)[0] ?? ['email']
      const key = `${t.apiKey.slice(0, -1)}${t.apiKey.endsWith('x') ? 'y' : 'x'}`
      await sendRows(t, name, 'unauthorized', [{ key: null }, { key, requirement: 'AUTH-3' }])
      // Combines two faults in one request if possible, since shops limit the number of requests without a valid key.
      const faults: readonly Row[] =
        endpoints[name].method === 'POST'
          ? [{ method: 'GET' }, longText, { body: '{}' }]
          : [{ method: 'DELETE', query: '', ...longText }, { query: `${field}=a&${field}=b` }]
      const rows = faults.map((fault): Row => ({ ...fault, key: null, requirement: 'AUTH-9' }))
      await sendRows(t, name, 'unauthorized', rows)
    },
  },
}))

const general = define(onTheWire, requirements, {
  'authentication.accepts-the-given-key': toEach(['AUTH-2'], 'valid', () => [{}]),
  'authentication.rejects-every-other-key': inTurn(['AUTH-3', 'AUTH-4'], 'unauthorized', ({ apiKey, secondApiKey }) =>
    [...new Set(otherKeys(apiKey))].filter((key) => key !== apiKey && key !== secondApiKey).map((key) => ({ key })),
  ),
  'authentication.rejects-a-repeated-key': inTurn(['AUTH-8', 'AUTH-4'], 'unauthorized', ({ apiKey }) => [
    { key: [apiKey, apiKey] },
    { key: [apiKey, anotherKey] },
    { key: [anotherKey, apiKey] },
  ]),
  'authentication.ignores-a-key-in-another-header': inTurn(
    ['AUTH-7', 'AUTH-4'],
    'unauthorized',
    ({ apiKey, names }) => {
      const { apiKeyHeader: header } = names
      const schemes = [`Bearer ${apiKey}`, `Basic ${btoa(`:${apiKey}`)}`, `ApiKey ${apiKey}`, apiKey]
      const similar = [
        header.replaceAll('-', '_'),
        header.replaceAll('-', ''),
        header.replace(/^X-/i, ''),
        `X-${header}`,
      ]
      const others = [
        ...schemes.map((value) => ['Authorization', value] as const),
        ['Cookie', `${header}=${apiKey}; api_key=${apiKey}`] as const,
        ...[...similar, 'X-API-Key', 'Api-Key'].map((name) => [name, apiKey] as const),
      ]
      return others
        .filter(([name]) => name.toLowerCase() !== header.toLowerCase())
        .map(([name, value]) => ({ key: null, headers: { [name]: value } }))
    },
  ),
  'authentication.ignores-a-key-in-query-or-body': {
    ...inTurn(['AUTH-7', 'AUTH-4'], 'unauthorized', ({ names: { apiKeyHeader: header }, apiKey }) =>
      [header, header.toLowerCase(), 'api_key', 'apikey', 'apiKey', 'key', 'token'].flatMap((name): readonly Row[] => [
        { key: null, method: 'GET', query: `${name}=${encodeURIComponent(apiKey)}` },
        { key: null, method: 'POST', query: '', body: JSON.stringify({ [name]: apiKey }) },
      ]),
    ),
    // Not `read-only`, because access logs may store the URL with the key.
    mode: 'write',
  },
  'authentication.ignores-the-letter-case-of-the-header-name': inTurn(['AUTH-6'], 'valid', ({ names, apiKey }) =>
    [names.apiKeyHeader.toLowerCase(), names.apiKeyHeader.toUpperCase()].map((header) => ({
      key: null,
      headers: { [header]: apiKey },
    })),
  ),
  'authentication.comes-first': inTurn(['AUTH-9', 'AUTH-4'], 'unauthorized', () => {
    const paths = [() => '/no-such-path', () => '/', (path: string) => `${path}/`, (path: string) => path.toUpperCase()]
    const rows: readonly Row[] = [
      ...paths.map((path) => ({ method: 'GET', query: '', path })),
      { method: 'GET', query: 'email=a&email=b' },
      { method: 'DELETE', query: '' },
      { method: 'OPTIONS', query: '' },
      { method: 'PUT', path: () => '/no-such-path', query: '', body: '{}' },
      { method: 'POST', query: '', body: '{"email":' },
      { method: 'HEAD', query: '', outcome: (t, reply) => t.status(reply, 401) },
    ]
    return rows.map((row) => ({ ...row, key: null }))
  }),
  'authentication.names-the-scheme': tests(['AUTH-10'], async (t) => {
    for (const reply of await unauthorized(t)) {
      t.equal(reply.header('WWW-Authenticate'), 'ApiKey', 'WWW-Authenticate', reply)
    }
  }),
  'authentication.returns-the-same-401-for-every-path': tests(['AUTH-11'], async (t) => {
    const [missing, ...others] = await unauthorized(t)
    for (const other of [await t.send({ path: '/no-such-path', key: null }), ...others])
      t.equal(other.json, missing?.json, 'the body of the response to a request without a key', other)
  }),
  'authentication.accepts-a-rotated-key': tests(['AUTH-12'], async (t) => {
    const key = t.secondApiKey ?? t.skip('no second API key was given')
    for (const name of t.offered) {
      await expectValid(t, await callHarmless(t, name, {}, { key }), name)
      await expectValid(t, await callHarmless(t, name), name, 'AUTH-2')
    }
    const name = t.offered[0] ?? t.skip('the shop offers no endpoints')
    expectUnauthorized(t, await callHarmless(t, name, {}, { key: `${t.apiKey}, ${key}` }))
  }),
  'authentication.never-returns-the-key': tests(['AUTH-5'], async (t) => {
    for (const reply of [...(await sampleAnswers(t)), ...(await unauthorized(t))]) {
      const everything = [reply.text, ...reply.headers.map(([, value]) => value)].join('\n')
      const holdsKey = [t.apiKey, t.secondApiKey ?? t.apiKey, anotherKey].some((key) => everything.includes(key))
      // Does not pass the reply to the failure, since the report would print the response with the key.
      t.ok(!holdsKey, `no key in the response to ${reply.request.method} ${reply.request.target}`)
    }
  }),
})

export const checks: readonly Check[] = [...ofEndpoints, ...general]

/** Returns the responses to a missing, empty, invalid and repeated key. */
async function unauthorized(t: CheckContext) {
  const name = t.offered[0] ?? t.skip('the shop offers no endpoints')
  const replies = []
  for (const key of [null, '', anotherKey, [t.apiKey, t.apiKey]]) replies.push(await sendRow(t, name, { key }))
  return replies
}
