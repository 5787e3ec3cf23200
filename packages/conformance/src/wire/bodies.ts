import { endpoints, type ErrorCode } from '@storeport/core'
import { type Check, define, onTheWire, type RawRequest } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import {
  eachPost,
  expectValid,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  inPieces,
  jsonOfBytes,
  post,
} from '../shop/inputs.ts'

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
  'BODY-4': should(
    'A request with a body of exactly 64 KiB is accepted.',
    'The body parser or a proxy has a smaller limit.',
  ),
  'BODY-5': should(
    'A request with an empty body or invalid JSON returns 400 `invalid_request`.',
    "The JSON parser's exception is not caught, or an empty body is treated as an empty object.",
  ),
  'BODY-6': should(
    'A request with valid JSON that is not an object returns 400 `invalid_request`.',
    'The body is used as an object without a type check.',
  ),
  'BODY-7': should('A leading byte order mark is ignored.', 'The JSON parser does not support byte order marks.'),
  'BODY-8': should(
    'If a field is sent twice, the last value is used.',
    'The JSON parser uses the first value, or rejects duplicate fields.',
  ),
  'BODY-9': should(
    'Unknown fields are ignored, including nested values. A value that is nested 5,000 levels deep is ignored, or rejected with 400.',
    'The schema is strict, or a deeply nested body overflows the stack of the parser.',
  ),
  'BODY-10': should(
    'A field named `__proto__` or `constructor` has no effect.',
    'The body is merged into an object without protection against `__proto__`.',
  ),
  'BODY-11': should(
    'The fields of a POST are read only from the body, not from the query.',
    'The query and the body are merged into one set of parameters.',
  ),
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

export const checks: readonly Check[] = define(onTheWire, {
  'bodies.accept-json-with-parameters': {
    title:
      'A POST with the content type `application/json` is accepted, with the charset UTF-8 and with other parameters, in uppercase or lowercase.',
    requirements: ['BODY-1'],
    run: eachPost(async (t, name) => {
      const charsets = ['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf-8; version=1']
      const types = ['application/json', ...charsets.map((more) => `application/json${more}`), 'Application/JSON']
      for (const type of types) await expectValid(t, await post(t, name, harmlessJson(t, name), type), name)
    }),
  },
  'bodies.reject-another-content-type': {
    title: 'A POST without `application/json` as its content type returns 415.',
    requirements: ['BODY-2'],
    run: eachPost(async (t, name) => {
      const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
      const similar = ['application/jsonp', 'application/json-patch+json', 'application/xml; note=application/json']
      for (const type of [null, '', 'text/plain', 'text/json', ...forms, ...similar]) {
        t.rejected(await post(t, name, harmlessJson(t, name), type), 'unsupported_media_type')
      }
    }),
  },
  'bodies.reject-invalid-json': {
    title: 'A request with an empty body, truncated JSON or invalid JSON returns 400 `invalid_request`.',
    requirements: ['BODY-5'],
    run: rejecting('invalid_request', (valid) => {
      const cutOrDoubled = ['', ' ', valid.slice(0, -1), `${valid}}`, `${valid}${valid}`]
      const ofJavaScript = [valid.replace('}', ',}'), valid.replaceAll('"', "'"), `/* comment */${valid}`]
      const others = ['email=nobody.at.all%40example.com', '<email>nobody.at.all@example.com</email>']
      return [...cutOrDoubled, ...ofJavaScript, ...others, 'undefined', 'NaN']
    }),
  },
  'bodies.reject-json-other-than-an-object': {
    title: 'A request with a JSON array, string, number, boolean or `null` as its body returns 400 `invalid_request`.',
    requirements: ['BODY-6'],
    run: rejecting('invalid_request', (valid) => {
      return ['null', '[]', `[${valid}]`, '"text"', JSON.stringify(valid), '1', 'true', 'false']
    }),
  },
  'bodies.ignore-a-byte-order-mark': {
    title: 'A byte order mark before the JSON is ignored.',
    requirements: ['BODY-7'],
    run: reading((valid) => [`\uFEFF${valid}`]),
  },
  'bodies.use-the-last-of-repeated-fields': {
    title: 'If a field is sent twice, the last value is used.',
    requirements: ['BODY-8'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      await expectValid(t, await post(t, name, valid.replace('{', '{"email":"no address",')), name)
      t.rejected(await post(t, name, valid.replace('}', ',"email":"no address"}')), 'invalid_request')
    }),
  },
  'bodies.ignore-unknown-fields': {
    title: 'Unknown fields are ignored. If a value is nested 5,000 levels deep, it is ignored or rejected.',
    requirements: ['BODY-9'],
    run: eachPost(async (t, name) => {
      const send = (field: string) => post(t, name, harmlessJson(t, name).replace('{', `{${field},`))
      for (const value of ['"mail"', '{"a":[1,null]}', `${'['.repeat(20)}${']'.repeat(20)}`]) {
        await expectValid(t, await send(`"utm_source":${value}`), name)
      }
      // Many JSON parsers limit the depth, so a rejection is allowed.
      for (const value of [`${'['.repeat(5000)}${']'.repeat(5000)}`, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]) {
        const reply = await send(`"x":${value}`)
        if (reply.status === 400) t.rejected(reply, 'invalid_request')
        else await expectValid(t, reply, name)
      }
    }),
  },
  'bodies.ignore-proto': {
    title: 'A field named `__proto__` or `constructor` does not set other fields and has no side effect.',
    requirements: ['BODY-10'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      for (const body of [`{"__proto__":${valid}}`, `{"constructor":{"prototype":${valid}}}`, '{}']) {
        t.rejected(await post(t, name, body), 'invalid_request')
      }
      for (const more of ['"__proto__":{"quantity":"x"}', '"constructor":null,"toString":1']) {
        await expectValid(t, await post(t, name, valid.replace('{', `{${more},`)), name)
      }
    }),
  },
  'bodies.are-the-only-source-of-fields': {
    title: 'Fields in the query of a POST are ignored.',
    requirements: ['BODY-11'],
    run: eachPost(async (t, name) => {
      const query = `?${queryOf(harmlessInput(t, name))}`
      t.rejected(await post(t, name, '{}', 'application/json', query), 'invalid_request')
      const doubled = '?email=no-address&email=again'
      await expectValid(t, await post(t, name, harmlessJson(t, name), 'application/json', doubled), name)
    }),
  },
  'bodies.reject-more-than-64-kib': {
    title: 'A request with a body one byte larger than 64 KiB returns 413, with and without `Content-Length`.',
    requirements: ['BODY-3'],
    run: rejecting('payload_too_large', (_valid, input) => {
      const tooLong = jsonOfBytes(limit + 1, input)
      // This body has fewer characters than the limit, but more bytes.
      const wide = JSON.stringify({ ...input, padding: 'é'.repeat(limit / 2) })
      return [tooLong, inPieces(tooLong, 16 * 1024), wide]
    }),
  },
  'bodies.accept-64-kib': {
    title: 'A request with a body of exactly 64 KiB is accepted, with and without `Content-Length`.',
    requirements: ['BODY-4'],
    run: reading((_valid, input) => {
      const longest = jsonOfBytes(limit, input)
      return [longest, inPieces(longest, 16 * 1024)]
    }),
  },
  'bodies.are-checked-in-order': {
    title:
      'A request with several errors returns the error of the first failed validation step: method, content type, size, JSON, fields, shop.',
    requirements: ['BODY-12'],
    run: eachPost(async (t, name) => {
      const tooLong = `{"padding":"${'x'.repeat(limit)}`
      const { path } = endpoints[name]
      const put = { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: tooLong }
      t.rejected(await t.send({ ...put, path: `${path}/` }), 'endpoint_not_found')
      t.rejected(await t.send({ ...put, path }), 'method_not_allowed')
      t.rejected(await post(t, name, tooLong, 'text/plain'), 'unsupported_media_type')
      t.rejected(await post(t, name, tooLong), 'payload_too_large')
      t.rejected(await post(t, name, '{"email":'), 'invalid_request')
      // The customer does not exist, but the shop must validate the fields before it searches for the customer.
      const wrong = fieldsOf(name).findLast(([, { required }]) => required)?.[0] ?? 'email'
      t.rejected(await post(t, name, JSON.stringify({ ...harmlessInput(t, name), [wrong]: [] })), 'invalid_request')
    }),
  },
  'bodies.preserve-split-characters': {
    title:
      'A body that arrives in chunks of a few bytes is read correctly, even if a chunk splits a multi-byte character.',
    requirements: ['BODY-1'],
    run: reading((_valid, input) => [inPieces(JSON.stringify({ ...input, note: 'grüße, 你好, 🎁' }), 7)]),
  },
})

/** Creates request bodies from a harmless input, which is passed as JSON and as an object. */
type MakeBodies = (valid: string, input: object) => readonly NonNullable<RawRequest['body']>[]

/** Returns a check function that expects every POST endpoint to accept each body. */
function reading(makeBodies: MakeBodies): Check['run'] {
  return eachPost(async (t, name) => {
    for (const body of makeBodies(harmlessJson(t, name), harmlessInput(t, name))) {
      await expectValid(t, await post(t, name, body), name)
    }
  })
}

/** Returns a check function that expects every POST endpoint to reject each body. */
function rejecting(code: ErrorCode, makeBodies: MakeBodies): Check['run'] {
  return eachPost(async (t, name) => {
    for (const body of makeBodies(harmlessJson(t, name), harmlessInput(t, name))) {
      t.rejected(await post(t, name, body), code)
    }
  })
}
