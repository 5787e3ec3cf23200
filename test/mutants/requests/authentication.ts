import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { createHash } from 'node:crypto'
import { listMutants } from '../list-mutants.ts'
import {
  answer,
  type Answered,
  at,
  failure,
  fieldsOf,
  header,
  isTo,
  keyHeader,
  of,
  page,
  replaceText,
  type Sent,
  withHeader,
  withStatus,
} from '../messages.ts'
import { keys, type Mutant } from '../mutant.ts'

const right = keys.first

/** Lenient comparisons of the API key. */
const lenient: Readonly<Record<string, (key: string) => boolean>> = {
  'any key will do': (key) => key !== '',
  'a key that begins like the right one will do': (key) => key.startsWith(right),
  'a part of the key will do': (key) => key !== '' && right.startsWith(key),
  'the key is compared without regard to letter case': (key) => key.toLowerCase() === right,
  '"Bearer" before the key is cut off': (key) => key === `Bearer ${right}`,
  'keys in a list are tried one after the other': (key) => key.split(/[,;]\s*/).includes(right),
  'of a list the last key counts': (key) => key.endsWith(`, ${right}`),
  'of several words the first is the key': (key) => key.split(' ')[0] === right,
  'a JSON list of keys is read': (key) => key === `["${right}"]`,
  'the stored digest is accepted in place of the key': (key) => key === digest('sha256', 'hex'),
  'the line of the settings file is accepted': (key) => key === `sha256:${digest('sha256', 'hex')}`,
  'a digest in Base64 is accepted': (key) => key === digest('sha256', 'base64'),
  'a digest that an older version stored is accepted': (key) => key === digest('sha1', 'hex'),
  'the key is also read as Base64': (key) => Buffer.from(key, 'base64').toString() === right,
  'the key is also read as hex': (key) => Buffer.from(key, 'hex').toString() === right,
  'percent signs in the key are decoded': (key) => /^%[\da-f%]+$/.test(key) && decodeURIComponent(key) === right,
  'the first eight letters of the key are enough': (key) => key.length >= 8 && right.startsWith(key),
  'the end of the key is enough': (key) => key.length >= 8 && right.endsWith(key),
  'any piece of the key is found in it': (key) => key.length >= 5 && right.includes(key),
  'the key is looked up with LIKE': (key) =>
    /[%_]/.test(key) && new RegExp(`^${key.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(right),
  'the key is looked up as a pattern of files': (key) => key.endsWith('*') && right.startsWith(key.slice(0, -1)),
  'the key is looked up as a regular expression': (key) => key === '.*',
  '"ApiKey" before the key is cut off': (key) => key === `ApiKey ${right}`,
  '"Token" before the key is cut off': (key) => key === `Token ${right}`,
  'what comes after the last equals sign is the key': (key) => key === `key=${right}`,
  'quotes around the key are cut off': (key) => key === `'${right}'`,
  'an escaped line feed after the key is cut off': (key) => key === String.raw`${right}\n`,
  'a slash after the key is cut off': (key) => key === `${right}/`,
  'the letters of the key are compared as a set': (key) => [...key].toSorted().join() === [...right].toSorted().join(),
}

/** Other places from which a key is read. */
const elsewhere: Readonly<Record<string, (sent: Sent) => boolean>> = {
  'the key is only compared when there is one': (sent) => header(sent, keyHeader) === undefined,
  'an empty key is no key, and no key is let in': (sent) => header(sent, keyHeader) === '',
  'one endpoint is mounted outside the key check': (sent) => isTo(sent, 'undoAddProduct'),
  'the key is taken from the query too': (sent) => sent.query.includes(`api_key=${right}`),
  'the key is taken from the body too': (sent) => fieldsOf(sent)['token'] === right,
  'a bearer token is taken for the key too': (sent) => header(sent, 'Authorization') === `Bearer ${right}`,
  'a cookie is taken for the key too': (sent) => header(sent, 'Cookie')?.includes(right) === true,
  ...Object.fromEntries(
    ['X_Integration_API_Key', 'Integration-API-Key', 'Api-Key', 'XIntegrationAPIKey'].map((name) => [
      `the key is read from ${name} too`,
      (sent: Sent) => header(sent, name) === right,
    ]),
  ),
}

/** Parts of a request that an endpoint checks before the API key. */
const early: Readonly<Record<string, (sent: Sent, method: string) => Answered | false>> = {
  method: (sent, method) => sent.method !== method && failure(405, 'method_not_allowed'),
  query: (sent, method) => method === 'GET' && /&/.test(sent.query) && failure(400, 'invalid_request'),
  'content type': (sent) => header(sent, 'Content-Type') === 'text/plain' && failure(415, 'unsupported_media_type'),
  size: (sent) => (sent.body?.length ?? 0) > 65_536 && failure(413, 'payload_too_large'),
  fields: (sent) => sent.body !== undefined && fieldsOf(sent)['email'] === undefined && failure(400, 'invalid_request'),
}

function lookEarly(name: EndpointName): readonly Mutant[] {
  const { method } = endpoints[name]
  const parts = method === 'GET' ? ['method', 'query'] : ['method', 'content type', 'size', 'fields']
  return parts.map((part) => ({
    defect: `${name} looks at the ${part} before the key`,
    request: (sent) => (isTo(sent, name) && isStranger(sent) && early[part]?.(sent, method)) || sent,
  }))
}

/** Defects in the check of the API key. */
export const mutants: readonly Mutant[] = [
  ...endpointNames.flatMap(lookEarly),
  ...listMutants({
    admits: {
      ...Object.fromEntries(
        Object.entries(lenient).map(([defect, isAccepted]) => [
          defect,
          (sent: Sent) => isAccepted(header(sent, keyHeader) ?? ''),
        ]),
      ),
      ...elsewhere,
    },
    request: {
      'of two key headers the first one counts': (sent) => withHeader(sent, keyHeader, header(sent, keyHeader)),
      'strangers learn which paths do not exist': (sent) =>
        isStranger(sent) && sent.path.endsWith('/no-such-path') ? failure(404, 'endpoint_not_found') : sent,
      'strangers learn which methods are not allowed': (sent) =>
        isStranger(sent) && sent.method === 'DELETE' ? failure(405, 'method_not_allowed') : sent,
      'strangers learn that their JSON is broken': (sent) =>
        isStranger(sent) && sent.body === '{"email":' ? failure(400, 'invalid_request') : sent,
      'one endpoint refuses the right key': (sent) =>
        isTo(sent, 'runCustomAction') ? failure(401, 'unauthorized') : sent,
    },
    answer: {
      'a missing key is 403': of(401, withStatus(403)),
      'a wrong key is answered with a web page': of(401, () => page(401)),
      'a missing key is a redirect to a login page': of(401, () => withHeader(page(302), 'Location', '/login')),
      'a wrong key is answered without a body': of(401, (answered) => ({ ...answered, body: '' })),
      'a 401 names no scheme': (answered) => withHeader(answered, 'WWW-Authenticate'),
      'missing and wrong keys are answered differently': (answered, sent) =>
        header(sent, keyHeader) === undefined ? replaceText('Send', 'Please send')(answered, sent) : answered,
      'the message repeats the key that was sent': of(401, (answered, sent) =>
        replaceText('valid', header(sent, keyHeader) ?? '')(answered, sent),
      ),
      'a health check at the base path tells its version to anybody': at('/integration/', () =>
        answer(200, { success: true, data: { version: '1.2.3' } }),
      ),
    },
    options: {
      'only one key is valid at a time': { apiKeys: [right] },
    },
  }),
]

function isStranger(sent: Sent): boolean {
  const lines = sent.headers.filter(([name]) => name === keyHeader)
  return lines.length > 1 || ![right, keys.second].some((key) => key === header(sent, keyHeader))
}

function digest(algorithm: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(right).digest(encoding)
}
