import { listMutants } from '../list-mutants.ts'
import { asPost, failure, fieldsOf, fieldsOfQuery, header, of, page, withFields, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** Defects in the reading of bodies and queries. */
export const mutants = listMutants({
  queries: {
    'query names are compared without regard to letter case': (query) =>
      query.replaceAll(/e?mail=/gi, (name) => name.toLowerCase()),
    'names in a query are not decoded': (query) => query.replace('%65mail', 'e_mail'),
    'a discount code is only read from `code`': (query) => query.replace('discount_code=', 'other='),
    'a discount code is only read from `discount_code`': (query) => query.replace(/(?<!discount_)code=/, 'other='),
    'of two different discount codes one is taken silently': (query) => query.replace(/discount_code=ONE&/, ''),
    'of a repeated query name the last one counts': (query) => query.replace(/^email=[^&]*&(?=email=)/, ''),
  },
  refuses: {
    'unknown query names are refused': (sent) => sent.query.includes('utm_source'),
    'an empty email is no address': (sent) => sent.query === 'email=',
    'a byte-order mark is broken JSON': (sent) => sent.body?.startsWith('\uFEFF') === true,
    'unknown fields are refused': (sent) => 'utm_source' in fieldsOf(sent),
  },
  crashes: {
    'deep JSON overflows the stack': (sent) => /\[{1000}/.test(sent.body ?? ''),
  },
  request: {
    'every request has the body of the first request': reuseBody(),
    'bodies are read as JSON whatever their type': (sent) =>
      sent.body === undefined ? sent : withHeader(sent, 'Content-Type', 'application/json'),
    'forms are read too': (sent) => (header(sent, 'Content-Type')?.includes('form') === true ? asPost(sent) : sent),
    'the content type is compared as a whole': (sent) => {
      const isOther = ![undefined, 'application/json'].includes(header(sent, 'Content-Type'))
      return isOther ? failure(415, 'unsupported_media_type') : sent
    },
    'broken JSON counts as an empty body, and the query fills it in': (sent) =>
      sent.method === 'POST' ? { ...sent, body: JSON.stringify({ ...fieldsOfQuery(sent), ...fieldsOf(sent) }) } : sent,
    'of a list the first element is taken': (sent) => ({ ...sent, body: sent.body?.replace(/^\[(\{.*\})\]$/, '$1') }),
    'of a doubled field the first one counts': (sent) => ({
      ...sent,
      body: sent.body?.replace(/^\{("email":"[^"]*")(.*),"email":"[^"]*"\}$/, '{$1$2}'),
    }),
    'what is in `__proto__` fills in fields': (sent) =>
      withFields(sent, (fields) => ({
        ...Object(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value),
        ...fields,
      })),
    'a body in pieces loses letters that are cut in two': (sent) =>
      sent.body?.includes('你') === true ? { ...sent, body: sent.body.replace('"', '\ufffd') } : sent,
  },
  answer: {
    'broken JSON ends in an exception': (answered) => (answered.body.includes('valid JSON') ? page(500) : answered),
    'a broken percent sign ends in an exception': (answered) =>
      answered.body.includes('percent-encoded') ? page(500) : answered,
    'fields are checked before the size': of(413, () => failure(400, 'invalid_request')),
  },
  options: {
    'bodies have no limit': { maxBodyBytes: 10_000_000 },
    'the limit is a tenth of what it should be': { maxBodyBytes: 6554 },
  },
  several: {
    'the limit is counted in letters': {
      options: { maxBodyBytes: 10_000_000 },
      request: (sent) => ((sent.body?.length ?? 0) > 65_536 ? failure(413, 'payload_too_large') : sent),
    },
  },
})

function reuseBody(): NonNullable<Mutant['request']> {
  let first: string | undefined
  return (sent) => ({ ...sent, body: (first ??= sent.body) })
}
