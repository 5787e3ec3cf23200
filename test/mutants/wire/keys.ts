import { createHash } from 'node:crypto'
import { endpointNames, type EndpointName, endpoints } from '@storeport/core'
import { fieldsOf, header, isTo, keyHeader, failure, type Sent, withHeader } from '../messages.ts'
import { keys, type Mutant } from '../mutant.ts'

const withRightKey = (sent: Sent) => withHeader(sent, keyHeader, keys.first)

const sentKey = (sent: Sent) => header(sent, keyHeader) ?? ''

/** Lenient comparisons of the API key. */
const lenient: readonly (readonly [defect: string, isAccepted: (key: string) => boolean])[] = [
  ['keys in a list are tried one after the other', (key) => key.split(/[,;]\s*/).includes(keys.first)],
  ['of a list the last key counts', (key) => key.endsWith(`, ${keys.first}`)],
  ['of several words the first is the key', (key) => key.split(' ')[0] === keys.first],
  ['a JSON list of keys is read', (key) => key === `["${keys.first}"]`],
  ['the stored digest is accepted in place of the key', (key) => key === digest('sha256', 'hex')],
  ['the line of the settings file is accepted', (key) => key === `sha256:${digest('sha256', 'hex')}`],
  ['a digest in Base64 is accepted', (key) => key === digest('sha256', 'base64')],
  ['a digest that an older version stored is accepted', (key) => key === digest('sha1', 'hex')],
  ['the key is also read as Base64', (key) => decodedFrom(key, 'base64') === keys.first],
  ['the key is also read as hex', (key) => decodedFrom(key, 'hex') === keys.first],
  ['percent signs in the key are decoded', (key) => /^%[\da-f%]+$/.test(key) && decodeURIComponent(key) === keys.first],
  ['the first eight letters of the key are enough', (key) => key.length >= 8 && keys.first.startsWith(key)],
  ['the end of the key is enough', (key) => key.length >= 8 && keys.first.endsWith(key)],
  ['any piece of the key is found in it', (key) => key.length >= 5 && keys.first.includes(key)],
  ['the key is looked up with LIKE', (key) => /[%_]/.test(key) && isLike(key)],
  ['the key is looked up as a pattern of files', (key) => key.endsWith('*') && keys.first.startsWith(key.slice(0, -1))],
  ['the key is looked up as a regular expression', (key) => key === '.*'],
  ['"ApiKey" before the key is cut off', (key) => key === `ApiKey ${keys.first}`],
  ['"Token" before the key is cut off', (key) => key === `Token ${keys.first}`],
  ['what comes after the last equals sign is the key', (key) => key === `key=${keys.first}`],
  ['quotes around the key are cut off', (key) => key === `'${keys.first}'`],
  ['an escaped line feed after the key is cut off', (key) => key === String.raw`${keys.first}\n`],
  ['a slash after the key is cut off', (key) => key === `${keys.first}/`],
  ['the letters of the key are compared as a set', (key) => sorted(key) === sorted(keys.first)],
]

const keyMutants = lenient.map(([defect, isAccepted]): Mutant => ({
  defect,
  request: (sent) => (isAccepted(sentKey(sent)) ? withRightKey(sent) : sent),
}))

const similarHeaders = ['X_Integration_API_Key', 'Integration-API-Key', 'Api-Key', 'XIntegrationAPIKey'].map(
  (name): Mutant => ({
    defect: `the key is read from ${name} too`,
    request: (sent) => (header(sent, name) === keys.first ? withRightKey(sent) : sent),
  }),
)

/** Mutants in which an endpoint checks a different part of the request before the API key. */
const early = endpointNames.flatMap((name): readonly Mutant[] => {
  const { method } = endpoints[name]
  const before = (what: string, find: (sent: Sent) => ReturnType<typeof failure> | undefined): Mutant => ({
    defect: `${name} looks at the ${what} before the key`,
    request: (sent) => (isStrangerTo(sent, name) ? (find(sent) ?? sent) : sent),
  })
  const ofMethod = before('method', (sent) => (sent.method === method ? undefined : failure(405, 'method_not_allowed')))
  if (method === 'GET')
    return [ofMethod, before('query', (sent) => (/&/.test(sent.query) ? failure(400, 'invalid_request') : undefined))]
  return [
    ofMethod,
    before('content type', (sent) =>
      header(sent, 'Content-Type') === 'text/plain' ? failure(415, 'unsupported_media_type') : undefined,
    ),
    before('size', (sent) => ((sent.body?.length ?? 0) > 65_536 ? failure(413, 'payload_too_large') : undefined)),
    before('fields', (sent) =>
      sent.body !== undefined && fieldsOf(sent)['email'] === undefined ? failure(400, 'invalid_request') : undefined,
    ),
  ]
})

/** Mutants that accept an invalid API key, or check a different part of the request before the key. */
export const mutants: readonly Mutant[] = [...keyMutants, ...similarHeaders, ...early]

function isStrangerTo(sent: Sent, name: EndpointName): boolean {
  return isTo(sent, name) && ![keys.first, keys.second].some((key) => key === sentKey(sent))
}

function digest(algorithm: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(keys.first).digest(encoding)
}

function decodedFrom(key: string, encoding: 'hex' | 'base64'): string {
  return Buffer.from(key, encoding).toString('utf8')
}

function isLike(pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(keys.first)
}

function sorted(text: string): string {
  return [...text].toSorted().join('')
}
