import { createHash } from 'node:crypto'
import { type CallOptions, type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { callHarmless, expectUnauthorized } from '../shop/inputs.ts'

/** An API key that shops do not accept. */
export const anotherKey = 'another-key-0123456789'

/** Checks that the shop rejects variants of the API key. */
export const checks: readonly Check[] = define(onTheWire, {
  'authentication.rejects-every-other-key': {
    title:
      'A request with an empty key, a partial key, a key with extra characters, or a key that differs only in case returns 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: rejecting((key) => {
      const parts = ['', key.slice(0, -1), key.slice(1), key.slice(0, 1)]
      const longer = [`${key}x`, `x${key}`, `${key}${key}`, `Bearer ${key}`, `"${key}"`]
      return [...parts, ...longer, key.toUpperCase(), key.toLowerCase(), 'undefined', 'null', 'true', '*']
    }),
  },
  'authentication.rejects-a-repeated-key': {
    title: 'A request with two key headers returns 401, even if both headers contain the valid key.',
    requirements: ['AUTH-8', 'AUTH-4'],
    run: rejecting((key) => [
      [key, key],
      [key, anotherKey],
      [anotherKey, key],
    ]),
  },
  'authentication.rejects-a-list-of-keys': {
    title: 'A request with the valid key in a list of keys returns 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: rejecting((key) => {
      return [`${key},${key}`, `${key}, ${anotherKey}`, `${anotherKey}, ${key}`, `${key} ${anotherKey}`, `["${key}"]`]
    }),
  },
  'authentication.rejects-a-digest-of-the-key': {
    title: 'A request with a hash of the key, or with the key in encoded form, returns 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: rejecting((key) => {
      const bytes = Buffer.from(key)
      const sha256 = createHash('sha256').update(key).digest()
      const sha1 = createHash('sha1').update(key).digest('hex')
      const escaped = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
      const digests = [sha256.toString('hex'), `sha256:${sha256.toString('hex')}`, sha256.toString('base64'), sha1]
      return [...digests, bytes.toString('base64'), bytes.toString('hex'), escaped]
    }),
  },
  'authentication.rejects-a-part-of-the-key': {
    title: 'A request with a partial key, or with a pattern that matches the key, returns 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: rejecting((key) => {
      const start = key.slice(0, -1)
      const halves = [key.slice(0, Math.ceil(key.length / 2)), key.slice(Math.floor(key.length / 2))]
      return [...halves, `${start}%`, `${start}_`, `${start}*`, '%', '.*']
    }),
  },
  'authentication.rejects-other-forms-of-the-key': {
    title: 'A request with a scheme, a name, quotes or other additions around the key returns 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: rejecting((key) => {
      const reversed = [...key].toReversed().join('')
      return [`ApiKey ${key}`, `Token ${key}`, `key=${key}`, `'${key}'`, `${key}\\n`, `${key}/`, reversed]
    }),
  },
  'authentication.ignores-a-key-in-another-header': {
    title: 'A request with the key in `Authorization`, a cookie or another header returns 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    run: rejectingHeaders(({ apiKey, names }) => [
      { Authorization: `Bearer ${apiKey}` },
      { Authorization: `Basic ${btoa(`:${apiKey}`)}` },
      { Authorization: `ApiKey ${apiKey}` },
      { Authorization: apiKey },
      { Cookie: `${names.apiKeyHeader}=${apiKey}; api_key=${apiKey}` },
      { 'X-API-Key': apiKey },
    ]),
  },
  'authentication.ignores-a-key-in-a-similar-header': {
    title: 'A request with the key in a header with a similar name returns 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    run: rejectingHeaders(({ apiKey, names: { apiKeyHeader: name } }) =>
      [name.replaceAll('-', '_'), name.replaceAll('-', ''), name.replace(/^X-/i, ''), `X-${name}`, 'Api-Key'].map(
        (similar) => ({ [similar]: apiKey }),
      ),
    ),
  },
})

/** Returns a check function that expects every variant of the valid key to be rejected. */
function rejecting(keysOf: (key: string) => readonly (string | readonly string[])[]): Check['run'] {
  return (t) => {
    const keys = keysOf(t.apiKey).filter((key) => key !== t.apiKey && key !== t.secondApiKey)
    return rejectAll(
      t,
      [...new Set(keys)].map((key) => ({ key })),
    )
  }
}

/** Returns a check function that expects the key to be rejected in each header. */
function rejectingHeaders(headersOf: (t: CheckContext) => readonly Readonly<Record<string, string>>[]): Check['run'] {
  return (t) => {
    const isKeyHeader = (name: string) => name.toLowerCase() === t.names.apiKeyHeader.toLowerCase()
    const others = headersOf(t).filter((headers) => !Object.keys(headers).some(isKeyHeader))
    return rejectAll(
      t,
      others.map((headers) => ({ key: null, headers })),
    )
  }
}

/**
 * Expects each request to be rejected. Sends the requests to the endpoints in turn, since each endpoint may have its
 * own key check.
 *
 * Does not send every request to every endpoint, since shops limit the number of requests with invalid keys.
 */
async function rejectAll(t: CheckContext, calls: readonly CallOptions[]): Promise<void> {
  for (const [index, options] of calls.entries()) {
    const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoints')
    expectUnauthorized(t, await callHarmless(t, name, {}, options))
  }
}
