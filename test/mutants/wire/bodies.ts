import { asPost, fieldsOf, fieldsOfQuery, header, of, page, refusal, withFields, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** How bodies are read. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'bodies are read as JSON whatever their type',
    caughtBy: 'bodies.refuse-another-content-type',
    request: (sent) => (sent.body === undefined ? sent : withHeader(sent, 'Content-Type', 'application/json')),
  },
  {
    defect: 'forms are read too',
    caughtBy: 'bodies.refuse-another-content-type',
    request: (sent) => (header(sent, 'Content-Type')?.includes('form') === true ? asPost(sent) : sent),
  },
  {
    defect: 'the content type is compared as a whole',
    caughtBy: 'bodies.accept-json-with-parameters',
    request: (sent) => {
      const isOther = ![undefined, 'application/json'].includes(header(sent, 'Content-Type'))
      return isOther ? refusal(415, 'unsupported_media_type') : sent
    },
  },
  {
    defect: 'bodies have no limit',
    caughtBy: 'bodies.refuse-more-than-64-kib',
    options: { maxBodyBytes: 10_000_000 },
  },
  {
    defect: 'the limit is a tenth of what it should be',
    caughtBy: 'bodies.accept-64-kib',
    options: { maxBodyBytes: 6554 },
  },
  {
    defect: 'the limit is counted in letters',
    caughtBy: 'bodies.refuse-more-than-64-kib',
    options: { maxBodyBytes: 10_000_000 },
    request: (sent) => ((sent.body?.length ?? 0) > 65_536 ? refusal(413, 'payload_too_large') : sent),
  },
  {
    defect: 'broken JSON ends in an exception',
    caughtBy: 'bodies.refuse-what-is-no-json',
    answer: (answered) => (answered.body.includes('valid JSON') ? page(500) : answered),
  },
  {
    defect: 'broken JSON counts as an empty body, and the query fills it in',
    caughtBy: 'bodies.alone-hold-the-fields',
    request: (sent) =>
      sent.method === 'POST' ? { ...sent, body: JSON.stringify({ ...fieldsOfQuery(sent), ...fieldsOf(sent) }) } : sent,
  },
  {
    defect: 'of a list the first element is taken',
    caughtBy: 'bodies.refuse-json-that-is-no-object',
    request: (sent) => ({ ...sent, body: sent.body?.replace(/^\[(\{.*\})\]$/, '$1') }),
  },
  {
    defect: 'a byte-order mark is broken JSON',
    caughtBy: 'bodies.ignore-a-byte-order-mark',
    request: (sent) => (sent.body?.startsWith('\uFEFF') === true ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'of a doubled field the first one counts',
    caughtBy: 'bodies.take-the-last-of-doubled-fields',
    request: (sent) => ({ ...sent, body: sent.body?.replace(/^\{("email":"[^"]*")(.*),"email":"[^"]*"\}$/, '{$1$2}') }),
  },
  {
    defect: 'unknown fields are refused',
    caughtBy: 'bodies.ignore-unknown-fields',
    request: (sent) => ('utm_source' in fieldsOf(sent) ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'deep JSON overflows the stack',
    caughtBy: 'bodies.ignore-unknown-fields',
    request: (sent) => (/\[{1000}/.test(sent.body ?? '') ? page(500) : sent),
  },
  {
    defect: 'what is in `__proto__` fills in fields',
    caughtBy: 'bodies.give-no-power-to-proto',
    request: (sent) =>
      withFields(sent, (fields) => ({
        ...Object(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value),
        ...fields,
      })),
  },
  {
    defect: 'fields are checked before the size',
    caughtBy: 'bodies.are-looked-at-in-order',
    answer: of(413, () => refusal(400, 'invalid_request')),
  },
  {
    defect: 'a body in pieces loses letters that are cut in two',
    caughtBy: 'bodies.keep-letters-that-are-cut-in-two',
    request: (sent) =>
      sent.body?.includes('你') === true ? { ...sent, body: sent.body.replace('"', '\ufffd') } : sent,
  },
]
