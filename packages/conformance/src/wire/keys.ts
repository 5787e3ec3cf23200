import { createHash } from 'node:crypto'
import { type CallOptions, type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { callHarmless, expectUnauthorized } from '../steps/inputs.ts'

/** A key that no shop of these checks accepts. */
export const anotherKey = 'another-key-0123456789'

/** Who may call, by what else may be sent in place of the key. */
export const checks: readonly Check[] = define(onTheWire, {
  'authentication.refuses-every-other-key': {
    title: 'An empty key, a part of the key, the key and more, or the key in another letter case is 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: refusing((key) => {
      const parts = ['', key.slice(0, -1), key.slice(1), key.slice(0, 1)]
      const longer = [`${key}x`, `x${key}`, `${key}${key}`, `Bearer ${key}`, `"${key}"`]
      return [...parts, ...longer, key.toUpperCase(), key.toLowerCase(), 'undefined', 'null', 'true', '*']
    }),
  },
  'authentication.refuses-a-repeated-key': {
    title: 'The key header sent twice is 401, also with the right key in both.',
    requirements: ['AUTH-8', 'AUTH-4'],
    run: refusing((key) => [
      [key, key],
      [key, anotherKey],
      [anotherKey, key],
    ]),
  },
  'authentication.refuses-a-list-of-keys': {
    title: 'The right key in a list of keys is 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: refusing((key) => {
      return [`${key},${key}`, `${key}, ${anotherKey}`, `${anotherKey}, ${key}`, `${key} ${anotherKey}`, `["${key}"]`]
    }),
  },
  'authentication.refuses-a-digest-of-the-key': {
    title: 'A digest or an encoding of the key is 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: refusing((key) => {
      const bytes = Buffer.from(key)
      const sha256 = createHash('sha256').update(key).digest()
      const sha1 = createHash('sha1').update(key).digest('hex')
      const escaped = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
      const digests = [sha256.toString('hex'), `sha256:${sha256.toString('hex')}`, sha256.toString('base64'), sha1]
      return [...digests, bytes.toString('base64'), bytes.toString('hex'), escaped]
    }),
  },
  'authentication.refuses-a-part-of-the-key': {
    title: 'A part of the key, or a pattern that it matches, is 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: refusing((key) => {
      const start = key.slice(0, -1)
      const halves = [key.slice(0, Math.ceil(key.length / 2)), key.slice(Math.floor(key.length / 2))]
      return [...halves, `${start}%`, `${start}_`, `${start}*`, '%', '.*']
    }),
  },
  'authentication.refuses-other-forms-of-the-key': {
    title: 'The key behind a scheme, a name or in signs is 401.',
    requirements: ['AUTH-3', 'AUTH-4'],
    run: refusing((key) => {
      const reversed = [...key].toReversed().join('')
      return [`ApiKey ${key}`, `Token ${key}`, `key=${key}`, `'${key}'`, `${key}\\n`, `${key}/`, reversed]
    }),
  },
  'authentication.reads-the-key-from-no-other-header': {
    title: 'The key in `Authorization`, a cookie or another header is 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    run: withoutKey(({ apiKey, names }) => [
      { Authorization: `Bearer ${apiKey}` },
      { Authorization: `Basic ${btoa(`:${apiKey}`)}` },
      { Authorization: `ApiKey ${apiKey}` },
      { Authorization: apiKey },
      { Cookie: `${names.apiKeyHeader}=${apiKey}; api_key=${apiKey}` },
      { 'X-API-Key': apiKey },
    ]),
  },
  'authentication.reads-the-key-from-no-similar-header': {
    title: 'The key in a header whose name is nearly right is 401.',
    requirements: ['AUTH-7', 'AUTH-4'],
    run: withoutKey(({ apiKey, names: { apiKeyHeader: name } }) =>
      [name.replaceAll('-', '_'), name.replaceAll('-', ''), name.replace(/^X-/i, ''), `X-${name}`, 'Api-Key'].map(
        (similar) => ({ [similar]: apiKey }),
      ),
    ),
  },
})

/** The run of a check that nothing is accepted of what can be made of the right key. */
function refusing(keysOf: (key: string) => readonly (string | readonly string[])[]): Check['run'] {
  return (t) => {
    const keys = keysOf(t.apiKey).filter((key) => key !== t.apiKey && key !== t.secondApiKey)
    return refuseAll(
      t,
      [...new Set(keys)].map((key) => ({ key })),
    )
  }
}

/** The run of a check that the key is read from none of these headers. */
function withoutKey(headersOf: (t: CheckContext) => readonly Readonly<Record<string, string>>[]): Check['run'] {
  return (t) => {
    const isKeyHeader = (name: string) => name.toLowerCase() === t.names.apiKeyHeader.toLowerCase()
    const others = headersOf(t).filter((headers) => !Object.keys(headers).some(isKeyHeader))
    return refuseAll(
      t,
      others.map((headers) => ({ key: null, headers })),
    )
  }
}

/** Endpoints may check keys each on their own, and shops count wrong keys: one call each, in turn. */
async function refuseAll(t: CheckContext, calls: readonly CallOptions[]): Promise<void> {
  for (const [index, options] of calls.entries()) {
    const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoint')
    expectUnauthorized(t, await callHarmless(t, name, {}, options))
  }
}
