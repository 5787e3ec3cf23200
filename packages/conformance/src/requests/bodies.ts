import { type Check, onTheWire, define, defineEach, tests } from '../engine/check.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import { expectValid, fieldsOf, inPieces, jsonOfBytes, postNames } from '../shop/inputs.ts'
import { type Harmless, harmlessOf, marker, type Outcome, sendRow, sendRows, toPosts } from './cases.ts'

const { must, should } = about('bodies')

export const requirements: Requirements = {
  'BODY-1': must(
    'A POST with `Content-Type: application/json` is accepted, with the charset UTF-8 or without a charset, and with any other parameters.',
    'The content type is compared as a complete, case-sensitive string. Compare only the part before `;`, in lower case.',
  ),
  'BODY-2': should(
    'A POST with another content type, or without a content type, returns 415 `unsupported_media_type`.',
    'The body is parsed as JSON or as a form, and the content type is ignored.',
  ),
  'BODY-3': should(
    'A request with a body larger than 64 KiB (65,536 bytes) returns 413 `payload_too_large`.',
    'The body size has no limit or a different limit, or only `Content-Length` is checked.',
  ),
  'BODY-4': should('A request with a body of exactly 64 KiB is accepted.', 'The parser or a proxy has a lower limit.'),
  'BODY-5': should(
    'A request with an empty body or invalid JSON returns 400 `invalid_request`.',
    "The JSON parser's exception is not caught, or an empty body is treated as an empty object.",
  ),
  'BODY-6': should(
    'A request with valid JSON that is not an object returns 400 `invalid_request`.',
    'The body is used as an object without a type check.',
  ),
  'BODY-7': should('A leading byte order mark is ignored.', 'The JSON parser does not support byte order marks.'),
  'BODY-8': should('If a field is sent twice, the last value is used.', 'The parser uses the first, or rejects both.'),
  'BODY-9': should(
    'Unknown fields are ignored, including nested values. A value that is nested 5,000 levels deep is ignored, or rejected with 400.',
    'The schema is strict, or a deeply nested body overflows the stack of the parser.',
  ),
  'BODY-10': should('A field named `__proto__` or `constructor` has no effect.', 'The body is merged into an object.'),
  'BODY-11': should('The fields of a POST are read only from the body, not from the query.', 'Both are merged.'),
  'BODY-12': should(
    'A request is validated in this order: key, path, method, content type, size, JSON, fields, shop.',
    'Fields are validated before the content type or the size of the body.',
  ),
  'BODY-13': should(
    'The error message for invalid JSON differs from the message for `{}`, which is valid JSON without the required fields.',
    "The JSON parser's exception is caught, and the body is treated as `{}`.",
  ),
}

const limit = 64 * 1024

/** Nested values that overflow the stack of a recursive parser. */
export const nested = (depth: number) => [
  `${'['.repeat(depth)}${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
]

/** Returns a harmless body with further members. */
const withMember = ({ json }: Harmless, members: string) => json.replace('{', `{${members},`)

/** Many JSON parsers limit the depth, so a rejection is allowed. */
const ignoredOrRejected: Outcome = (t, reply, name) =>
  reply.status === 400 ? t.rejected(reply, 'invalid_request') : expectValid(t, reply, name)

const general = define(onTheWire, requirements, {
  'bodies.accept-json-with-parameters': toPosts(['BODY-1'], 'valid', ({ input }) => {
    const charsets = ['', '; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf-8; version=1']
    const types = [...charsets.map((more) => `application/json${more}`), 'Application/JSON'].map((type) => ({ type }))
    // The pieces of a body can end within a character.
    return [...types, { body: inPieces(JSON.stringify({ ...input, note: 'grüße, 你好, 🎁' }), 7) }]
  }),
  'bodies.reject-another-content-type': toPosts(['BODY-2'], 'unsupported_media_type', () => {
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', `text/${marker}`]
    const similar = ['application/jsonp', 'application/json-patch+json', 'application/xml; note=application/json']
    return [null, '', 'text/plain', 'text/json', ...forms, ...similar].map((type) => ({ type }))
  }),
  'bodies.reject-json-other-than-an-object': toPosts(['BODY-6'], 'invalid_request', ({ json }) =>
    ['null', '[]', `[${json}]`, '"text"', JSON.stringify(json), '1', 'true', 'false'].map((body) => ({ body })),
  ),
  'bodies.ignore-a-byte-order-mark': toPosts(['BODY-7'], 'valid', ({ json }) => [{ body: `\uFEFF${json}` }]),
  'bodies.use-the-last-of-repeated-fields': toPosts(['BODY-8'], 'invalid_request', (harmless) => [
    { body: withMember(harmless, '"email":"no address"'), outcome: 'valid' },
    { body: harmless.json.replace('}', ',"email":"no address"}') },
  ]),
  'bodies.ignore-unknown-fields': toPosts(['BODY-9'], 'valid', (harmless) => [
    ...['"mail"', '{"a":[1,null]}', ...nested(20)].map((value) => ({ body: withMember(harmless, `"x":${value}`) })),
    ...nested(5000).map((value) => ({ body: withMember(harmless, `"x":${value}`), outcome: ignoredOrRejected })),
    { body: withMember(harmless, '"utm_source":"mail"') },
  ]),
  'bodies.ignore-proto': toPosts(['BODY-10'], 'invalid_request', (harmless) => [
    { body: `{"__proto__":${harmless.json}}` },
    { body: `{"constructor":{"prototype":${harmless.json}}}` },
    { body: '{}' },
    { body: withMember(harmless, '"__proto__":{"quantity":"x"}'), outcome: 'valid' },
    { body: withMember(harmless, '"constructor":null,"toString":1'), outcome: 'valid' },
  ]),
  'bodies.are-the-only-source-of-fields': toPosts(['BODY-11'], 'invalid_request', ({ input }) => [
    { body: '{}', query: queryOf(input) },
    { query: 'email=no-address&email=again', outcome: 'valid' },
  ]),
  'bodies.reject-more-than-64-kib': toPosts(['BODY-3'], 'payload_too_large', ({ input }) => {
    const tooLong = jsonOfBytes(limit + 1, input)
    // The last body has fewer characters than the limit, but more bytes.
    const wide = JSON.stringify({ ...input, padding: 'é'.repeat(limit / 2) })
    return [{ body: tooLong }, { body: inPieces(tooLong, 16 * 1024) }, { body: wide }]
  }),
  'bodies.accept-64-kib': toPosts(['BODY-4'], 'valid', ({ input }) => {
    const longest = jsonOfBytes(limit, input)
    return [{ body: longest }, { body: inPieces(longest, 16 * 1024) }]
  }),
  'bodies.are-checked-in-order': toPosts(['BODY-12'], 'invalid_request', ({ name }) => {
    const body = `{"padding":"${'x'.repeat(limit)}`
    const put = { method: 'PUT', type: 'text/plain', body }
    // The customer does not exist, but the shop must validate the fields before it searches for the customer.
    const [wrong = 'email'] = fieldsOf(name).findLast(([, { required }]) => required) ?? []
    return [
      { ...put, path: (path) => `${path}/`, outcome: 'endpoint_not_found' },
      { ...put, outcome: 'method_not_allowed' },
      { type: 'text/plain', body, outcome: 'unsupported_media_type' },
      { body, outcome: 'payload_too_large' },
      { body: '{"email":' },
      { fields: { [wrong]: [] } },
    ]
  }),
})

const invalidJson = defineEach(postNames, onTheWire, requirements, (name) => ({
  'reports-invalid-json-as-such': tests(['BODY-13', 'BODY-5'], async (t) => {
    const { json } = harmlessOf(t, name)
    const cutOrDoubled = ['', ' ', json.slice(0, -1), `${json}}`, `${json}${json}`, '{"email":', '{', '{]']
    const ofJavaScript = [json.replace('}', ',}'), json.replaceAll('"', "'"), `/* comment */${json}`, '{"a":\u0000}']
    const others = ['email=nobody.at.all%40example.com', '<email>nobody@example.com</email>', 'undefined', 'NaN']
    const empty = errorMessageOf(await sendRow(t, name, { body: '{}' }))
    for (const body of [...cutOrDoubled, ...ofJavaScript, ...others, marker]) {
      const isOther: Outcome = (_, reply) => {
        t.rejected(reply, 'invalid_request', 'BODY-5')
        const holds = body.trim() === '' || errorMessageOf(reply) !== empty
        t.ok(holds, 'a message that differs from the message for `{}`, where fields are missing', reply)
      }
      await sendRows(t, name, isOther, [{ body }])
    }
  }),
}))

export const checks: readonly Check[] = [...general, ...invalidJson]
