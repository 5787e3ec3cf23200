import {
  asPost,
  fieldsOf,
  fieldsOfQuery,
  header,
  of,
  page,
  failure,
  type Sent,
  withFields,
  withHeader,
} from '../messages.ts'
import { listMutantsOf } from '../list-mutants.ts'

export const mutants = listMutantsOf('bodies', {
  request: {
    'accept-64-kib: every request has the body of the first request': reuseBody(),
    'reject-another-content-type: bodies are read as JSON whatever their type': (sent) =>
      sent.body === undefined ? sent : withHeader(sent, 'Content-Type', 'application/json'),
    'reject-another-content-type: forms are read too': (sent) =>
      header(sent, 'Content-Type')?.includes('form') === true ? asPost(sent) : sent,
    'accept-json-with-parameters: the content type is compared as a whole': (sent) => {
      const isOther = ![undefined, 'application/json'].includes(header(sent, 'Content-Type'))
      return isOther ? failure(415, 'unsupported_media_type') : sent
    },
    'are-the-only-source-of-fields: broken JSON counts as an empty body, and the query fills it in': (sent) =>
      sent.method === 'POST' ? { ...sent, body: JSON.stringify({ ...fieldsOfQuery(sent), ...fieldsOf(sent) }) } : sent,
    'reject-json-other-than-an-object: of a list the first element is taken': (sent) => ({
      ...sent,
      body: sent.body?.replace(/^\[(\{.*\})\]$/, '$1'),
    }),
    'ignore-a-byte-order-mark: a byte-order mark is broken JSON': (sent) =>
      sent.body?.startsWith('\uFEFF') === true ? failure(400, 'invalid_request') : sent,
    'use-the-last-of-repeated-fields: of a doubled field the first one counts': (sent) => ({
      ...sent,
      body: sent.body?.replace(/^\{("email":"[^"]*")(.*),"email":"[^"]*"\}$/, '{$1$2}'),
    }),
    'ignore-unknown-fields: unknown fields are refused': (sent) =>
      'utm_source' in fieldsOf(sent) ? failure(400, 'invalid_request') : sent,
    'ignore-unknown-fields: deep JSON overflows the stack': (sent) =>
      /\[{1000}/.test(sent.body ?? '') ? page(500) : sent,
    'ignore-proto: what is in `__proto__` fills in fields': (sent) =>
      withFields(sent, (fields) => ({
        ...Object(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value),
        ...fields,
      })),
    'preserve-split-characters: a body in pieces loses letters that are cut in two': (sent) =>
      sent.body?.includes('你') === true ? { ...sent, body: sent.body.replace('"', '\ufffd') } : sent,
  },
  answer: {
    'reject-invalid-json: broken JSON ends in an exception': (answered) =>
      answered.body.includes('valid JSON') ? page(500) : answered,
    'are-checked-in-order: fields are checked before the size': of(413, () => failure(400, 'invalid_request')),
  },
  options: {
    'reject-more-than-64-kib: bodies have no limit': { maxBodyBytes: 10_000_000 },
    'accept-64-kib: the limit is a tenth of what it should be': { maxBodyBytes: 6554 },
  },
  several: {
    'reject-more-than-64-kib: the limit is counted in letters': {
      options: { maxBodyBytes: 10_000_000 },
      request: (sent) => ((sent.body?.length ?? 0) > 65_536 ? failure(413, 'payload_too_large') : sent),
    },
  },
})

function reuseBody() {
  let first: string | undefined
  return (sent: Sent): Sent => ({ ...sent, body: (first ??= sent.body) })
}
