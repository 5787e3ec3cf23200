import { createHash } from 'node:crypto'
import { endpointNames, endpoints } from '@storeport/core'
import type { CheckContext, RawRequest } from '../engine/check-context.ts'
import { type Check, define, onTheWire } from '../engine/check.ts'
import { expectUnauthorized, fieldsOf, harmlessInput } from '../steps/inputs.ts'

const json = { 'Content-Type': 'application/json' }
const text = { 'Content-Type': 'text/plain' }

const tooLong = `{"padding":"${'x'.repeat(64 * 1024)}`

const ofEachEndpoint: readonly Check[] = endpointNames.map((name) => ({
  id: `${name}.looks-at-the-key-first`,
  title: `Without a key, whatever else is wrong with a call of ${name} is 401: method, content type, size, JSON or fields.`,
  requirements: ['AUTH-9', 'AUTH-4'],
  mode: 'read-only',
  layer: 'wire',
  needs: [name],
  async run(t) {
    const { method, path } = endpoints[name]
    const [field] = fieldsOf(name)[0] ?? ['email']
    // Two faults in one call where either would show: shops count wrong keys.
    const faults: readonly RawRequest[] =
      method === 'POST'
        ? [{ path }, { method, path, headers: text, body: tooLong }, { method, path, headers: json, body: '{}' }]
        : [{ method: 'DELETE', path, headers: text, body: tooLong }, { path: `${path}?${field}=a&${field}=b` }]
    for (const fault of faults) expectUnauthorized(t, await t.send({ ...fault, key: null }))
  },
}))

/** Who may call, by keys that are nearly right. */
export const checks: readonly Check[] = [
  ...ofEachEndpoint,
  refusing('authentication.refuses-a-list-of-keys', 'The right key in a list of keys is 401.', (key) => [
    `${key},${key}`,
    `${key}, another-key-0123456789`,
    `another-key-0123456789, ${key}`,
    `${key} another-key-0123456789`,
    `["${key}"]`,
  ]),
  refusing('authentication.refuses-a-digest-of-the-key', 'A digest or an encoding of the key is 401.', (key) => {
    const sha256 = createHash('sha256').update(key)
    const hex = sha256.copy().digest('hex')
    return [
      hex,
      `sha256:${hex}`,
      sha256.digest('base64'),
      createHash('sha1').update(key).digest('hex'),
      Buffer.from(key).toString('base64'),
      Buffer.from(key).toString('hex'),
      [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join(''),
    ]
  }),
  refusing(
    'authentication.refuses-a-part-of-the-key',
    'A part of the key, or a pattern that it matches, is 401.',
    (key) => [
      key.slice(0, Math.ceil(key.length / 2)),
      key.slice(Math.floor(key.length / 2)),
      `${key.slice(0, -1)}%`,
      `${key.slice(0, -1)}_`,
      `${key.slice(0, -1)}*`,
      '%',
      '.*',
    ],
  ),
  refusing(
    'authentication.refuses-other-forms-of-the-key',
    'The key behind a scheme, a name or in signs is 401.',
    (key) => [
      `ApiKey ${key}`,
      `Token ${key}`,
      `key=${key}`,
      `'${key}'`,
      `${key}\\n`,
      `${key}/`,
      [...key].toReversed().join(''),
    ],
  ),
  ...define(onTheWire, {
    'authentication.reads-the-key-from-no-similar-header': {
      title: 'The key in a header whose name is nearly right is 401.',
      requirements: ['AUTH-7', 'AUTH-4'],
      async run(t) {
        const { apiKey, names } = t
        const similar = [
          names.apiKeyHeader.replaceAll('-', '_'),
          names.apiKeyHeader.replaceAll('-', ''),
          names.apiKeyHeader.replace(/^X-/i, ''),
          `X-${names.apiKeyHeader}`,
          'Api-Key',
        ]
        const others = new Set(similar.filter((name) => name.toLowerCase() !== names.apiKeyHeader.toLowerCase()))
        for (const [index, name] of [...others].entries()) {
          expectUnauthorized(t, await callOneOf(t, index, { key: null, headers: { [name]: apiKey } }))
        }
      },
    },
  }),
]

/** The check that nothing is accepted of what can be made of the right key. */
function refusing(id: string, title: string, formsOf: (key: string) => readonly string[]): Check {
  return {
    id,
    title,
    requirements: ['AUTH-3', 'AUTH-4'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      const forms = formsOf(t.apiKey).filter((form) => form !== t.apiKey && form !== t.secondApiKey)
      for (const [index, key] of [...new Set(forms)].entries()) {
        expectUnauthorized(t, await callOneOf(t, index, { key }), 'AUTH-3')
      }
    },
  }
}

/** Endpoints may check keys each on their own, and shops count wrong keys: one call each, in turn. */
async function callOneOf(t: CheckContext, index: number, options: Parameters<CheckContext['call']>[2]) {
  const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoint')
  return t.call(name, harmlessInput(t, name), options)
}
