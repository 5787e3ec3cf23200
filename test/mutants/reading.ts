import { fieldsOf, header, of, page, refusal, type Sent, withFields, withHeader } from './messages.ts'
import type { Mutant } from './mutant.ts'

const asPost = (sent: Sent): Sent => ({ ...withHeader(sent, 'Content-Type', 'application/json'), method: 'POST' })
const fromQuery = ({ query }: Sent) => Object.fromEntries(new URLSearchParams(query))

/** How requests are read: paths, methods, bodies, queries. */
export const reading: readonly Mutant[] = [
  {
    defect: 'a trailing slash matches too',
    caughtBy: 'routing.refuses-a-trailing-slash',
    request: (sent) => ({ ...sent, path: sent.path.replace(/\/$/, '') }),
  },
  {
    defect: 'doubled slashes are joined',
    caughtBy: 'routing.refuses-a-doubled-slash',
    request: (sent) => ({ ...sent, path: sent.path.replaceAll(/\/+/g, '/') }),
  },
  {
    defect: 'paths match in any letter case',
    caughtBy: 'routing.refuses-another-letter-case',
    request: (sent) => ({ ...sent, path: sent.path.toLowerCase() }),
  },
  {
    defect: 'paths are decoded before they are matched',
    caughtBy: 'routing.refuses-encoded-letters',
    request: (sent) => ({ ...sent, path: decodeURIComponent(sent.path) }),
  },
  {
    defect: 'parameters of a path are cut off',
    caughtBy: 'routing.refuses-encoded-letters',
    request: (sent) => ({ ...sent, path: sent.path.replace(/;.*/, '') }),
  },
  {
    defect: 'an unknown path gets the start page',
    caughtBy: 'routing.refuses-unknown-paths',
    answer: of(404, (answered) => (answered.body.includes('endpoint_not_found') ? page(200, 'Shop') : answered)),
  },
  {
    defect: 'another method is 404',
    caughtBy: 'listProducts.refuses-other-methods',
    answer: of(405, () => refusal(404, 'endpoint_not_found')),
  },
  {
    defect: 'a 405 does not say what is allowed',
    caughtBy: 'getDiscount.refuses-other-methods',
    answer: (answered) => withHeader(answered, 'Allow'),
  },
  {
    defect: 'a link can send an order: GET works like POST',
    caughtBy: 'sendNow.refuses-other-methods',
    request: (sent) => {
      const isLink = sent.method === 'GET' && sent.path.endsWith('/send-now')
      return isLink ? { ...asPost(sent), body: JSON.stringify(fromQuery(sent)) } : sent
    },
  },
  {
    defect: 'PUT works like POST',
    caughtBy: 'addProduct.refuses-other-methods',
    request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
  },
  {
    defect: 'OPTIONS is answered by a CORS middleware',
    caughtBy: 'swapProduct.refuses-other-methods',
    request: (sent) => (sent.method === 'OPTIONS' ? { status: 204, headers: [], body: '' } : sent),
  },
  {
    defect: 'HEAD is not known',
    caughtBy: 'routing.answers-head-like-get',
    request: (sent) => (sent.method === 'HEAD' ? refusal(405, 'method_not_allowed') : sent),
  },
  {
    defect: 'a header can ask for another method',
    caughtBy: 'routing.ignores-method-overrides',
    request: (sent) => (header(sent, 'X-HTTP-Method-Override') === 'POST' ? asPost(sent) : sent),
  },
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
      sent.method === 'POST' ? { ...sent, body: JSON.stringify({ ...fromQuery(sent), ...fieldsOf(sent) }) } : sent,
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
    defect: 'what stands in `__proto__` fills in fields',
    caughtBy: 'bodies.give-no-power-to-proto',
    request: (sent) =>
      withFields(sent, (fields) => ({
        ...Object(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value),
        ...fields,
      })),
  },
  {
    defect: 'fields are looked at before the size',
    caughtBy: 'bodies.are-looked-at-in-order',
    answer: of(413, () => refusal(400, 'invalid_request')),
  },
  {
    defect: 'a body in pieces loses letters that are cut in two',
    caughtBy: 'bodies.keep-letters-that-are-cut-in-two',
    request: (sent) =>
      sent.body?.includes('你') === true ? { ...sent, body: sent.body.replace('"', '\ufffd') } : sent,
  },
  {
    defect: 'of a repeated query name the last one counts',
    caughtBy: 'getSubscription.refuses-a-repeated-query-name',
    request: (sent) =>
      sent.path.endsWith('/subscription')
        ? { ...sent, query: sent.query.replace(/^email=[^&]*&(?=email=)/, '') }
        : sent,
  },
  {
    defect: 'unknown query names are refused',
    caughtBy: 'queries.ignore-unknown-names',
    request: (sent) => (sent.query.includes('utm_source') ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'query names are compared without regard to letter case',
    caughtBy: 'queries.ignore-unknown-names',
    request: (sent) => ({ ...sent, query: sent.query.replaceAll(/e?mail=/gi, (name) => name.toLowerCase()) }),
  },
  {
    defect: 'names in a query are not decoded',
    caughtBy: 'queries.decode-percent-signs',
    request: (sent) => ({ ...sent, query: sent.query.replace('%65mail', 'e_mail') }),
  },
  {
    defect: 'a broken percent sign ends in an exception',
    caughtBy: 'queries.survive-bad-encoding',
    answer: (answered) => (answered.body.includes('percent-encoded') ? page(500, 'URIError') : answered),
  },
  {
    defect: 'an empty email is no address',
    caughtBy: 'listProducts.takes-an-empty-email-for-none',
    request: (sent) => (sent.query === 'email=' ? refusal(400, 'invalid_request', 'email: is empty') : sent),
  },
  {
    defect: 'a discount code is only read from `code`',
    caughtBy: 'getDiscount.takes-discount-code',
    request: (sent) => ({ ...sent, query: sent.query.replace('discount_code=', 'other=') }),
  },
  {
    defect: 'a discount code is only read from `discount_code`',
    caughtBy: 'getDiscount.takes-code-too',
    request: (sent) => ({ ...sent, query: sent.query.replace(/(?<!discount_)code=/, 'other=') }),
  },
  {
    defect: 'of two different discount codes one is taken silently',
    caughtBy: 'getDiscount.refuses-two-codes',
    request: (sent) => ({ ...sent, query: sent.query.replace(/discount_code=ONE&/, '') }),
  },
]
