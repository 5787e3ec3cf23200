import { endpoints, type ErrorCode } from '@storeport/core'
import { type Check, define, onTheWire, type RawRequest } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { queryOf } from '../http/plain-http.ts'
import {
  eachPost,
  expectThrough,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  inPieces,
  jsonOfBytes,
  post,
} from '../steps/inputs.ts'

const { must, should } = about('bodies')

/** How a body is read. */
export const requirements: Requirements = {
  'BODY-1': must(
    'A POST with `Content-Type: application/json`, with any parameters, is read.',
    'The content type is compared as a whole, without regard to parameters and letter case.',
  ),
  'BODY-2': should(
    'A POST with another content type, or none, is 415 `unsupported_media_type`.',
    'The body is parsed as JSON whatever its content type says, or as a form.',
  ),
  'BODY-3': should(
    'A body of more than 64 KiB, counted in bytes, is 413 `payload_too_large`.',
    'The body has no limit, or another one, or only the announced length is looked at.',
  ),
  'BODY-4': should('A body of exactly 64 KiB is read.', 'The limit of the body parser or of a proxy is smaller.'),
  'BODY-5': should(
    'A body that is empty or is no JSON is 400 `invalid_request`.',
    'The exception of the JSON parser is not caught, or an empty body counts as an empty object.',
  ),
  'BODY-6': should(
    'A body that is JSON but no object is 400 `invalid_request`.',
    'The body is used as an object without asking whether it is one.',
  ),
  'BODY-7': should('A leading byte-order mark is ignored.', 'The JSON parser does not know byte-order marks.'),
  'BODY-8': should(
    'Of a field that is sent twice the last one counts.',
    'The JSON parser keeps the first of two, or refuses them.',
  ),
  'BODY-9': should(
    'Fields that the contract does not name are ignored, however deep they are.',
    'The schema is strict, or the whole body is walked recursively.',
  ),
  'BODY-10': should(
    'A field called `__proto__` or `constructor` has no effect.',
    'The body is merged into an object without regard to `__proto__`.',
  ),
  'BODY-11': should(
    'The fields of a POST are read from its body, never from its query.',
    'Query and body are merged into one set of parameters.',
  ),
  'BODY-12': should(
    'A request is looked at in this order: key, path, method, content type, size, JSON, fields, shop.',
    'Fields are looked at before the type or the size of the body.',
  ),
  'BODY-13': should(
    'A body that is no JSON is told apart from an empty object: what is wrong is not that a field is missing.',
    'The exception of the JSON parser is caught, and the body then counts as `{}`.',
  ),
}

const limit = 64 * 1024

/** How the body of a POST is read. */
export const checks: readonly Check[] = define(onTheWire, {
  'bodies.accept-json-with-parameters': {
    title: 'A content type of `application/json` with parameters, in any letter case, is read.',
    requirements: ['BODY-1'],
    run: eachPost(async (t, name) => {
      const charsets = ['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf-8; version=1']
      const types = ['application/json', ...charsets.map((more) => `application/json${more}`), 'Application/JSON']
      for (const type of types) await expectThrough(t, await post(t, name, harmlessJson(t, name), type), name)
    }),
  },
  'bodies.refuse-another-content-type': {
    title: 'Another content type than `application/json`, or none, is 415.',
    requirements: ['BODY-2'],
    run: eachPost(async (t, name) => {
      const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
      const similar = ['application/jsonp', 'application/json-patch+json', 'application/xml; note=application/json']
      for (const type of [null, '', 'text/plain', 'text/json', ...forms, ...similar]) {
        t.refused(await post(t, name, harmlessJson(t, name), type), 'unsupported_media_type')
      }
    }),
  },
  'bodies.refuse-what-is-no-json': {
    title: 'A body that is empty, cut off or no JSON is 400 `invalid_request`.',
    requirements: ['BODY-5'],
    run: refusing('invalid_request', (valid) => {
      const cutOrDoubled = ['', ' ', valid.slice(0, -1), `${valid}}`, `${valid}${valid}`]
      const ofJavaScript = [valid.replace('}', ',}'), valid.replaceAll('"', "'"), `/* comment */${valid}`]
      const others = ['email=nobody.at.all%40example.com', '<email>nobody.at.all@example.com</email>']
      return [...cutOrDoubled, ...ofJavaScript, ...others, 'undefined', 'NaN']
    }),
  },
  'bodies.refuse-json-that-is-no-object': {
    title: 'JSON that is an array, a text, a number, a boolean or `null` is 400 `invalid_request`.',
    requirements: ['BODY-6'],
    run: refusing('invalid_request', (valid) => {
      return ['null', '[]', `[${valid}]`, '"text"', JSON.stringify(valid), '1', 'true', 'false']
    }),
  },
  'bodies.ignore-a-byte-order-mark': {
    title: 'A byte-order mark before the JSON is ignored.',
    requirements: ['BODY-7'],
    run: reading((valid) => [`\uFEFF${valid}`]),
  },
  'bodies.take-the-last-of-doubled-fields': {
    title: 'Of a field that is sent twice the last one counts.',
    requirements: ['BODY-8'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      await expectThrough(t, await post(t, name, valid.replace('{', '{"email":"no address",')), name)
      t.refused(await post(t, name, valid.replace('}', ',"email":"no address"}')), 'invalid_request')
    }),
  },
  'bodies.ignore-unknown-fields': {
    title: 'Fields that the contract does not name are ignored, 5,000 levels deep as well.',
    requirements: ['BODY-9'],
    run: reading((valid) => {
      const deep = [`${'['.repeat(5000)}${']'.repeat(5000)}`, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]
      const fields = ['"utm_source":"mail"', '"metadata":{"a":[1,null]}', ...deep.map((value) => `"x":${value}`)]
      return fields.map((field) => valid.replace('{', `{${field},`))
    }),
  },
  'bodies.give-no-power-to-proto': {
    title: 'A field called `__proto__` or `constructor` neither fills in fields nor leaves traces.',
    requirements: ['BODY-10'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      for (const body of [`{"__proto__":${valid}}`, `{"constructor":{"prototype":${valid}}}`, '{}']) {
        t.refused(await post(t, name, body), 'invalid_request')
      }
      for (const more of ['"__proto__":{"quantity":"x"}', '"constructor":null,"toString":1']) {
        await expectThrough(t, await post(t, name, valid.replace('{', `{${more},`)), name)
      }
    }),
  },
  'bodies.alone-hold-the-fields': {
    title: 'The query of a POST fills in no field.',
    requirements: ['BODY-11'],
    run: eachPost(async (t, name) => {
      const query = `?${queryOf(harmlessInput(t, name))}`
      t.refused(await post(t, name, '{}', 'application/json', query), 'invalid_request')
      const doubled = '?email=no-address&email=again'
      await expectThrough(t, await post(t, name, harmlessJson(t, name), 'application/json', doubled), name)
    }),
  },
  'bodies.refuse-more-than-64-kib': {
    title: 'A body of 64 KiB and one byte is 413, also when its length is not announced.',
    requirements: ['BODY-3'],
    run: refusing('payload_too_large', (_valid, input) => {
      const tooLong = jsonOfBytes(limit + 1, input)
      // Fewer characters than the limit, more bytes.
      const wide = JSON.stringify({ ...input, padding: 'é'.repeat(limit / 2) })
      return [tooLong, inPieces(tooLong, 16 * 1024), wide]
    }),
  },
  'bodies.accept-64-kib': {
    title: 'A body of exactly 64 KiB is read, also when its length is not announced.',
    requirements: ['BODY-4'],
    run: reading((_valid, input) => {
      const longest = jsonOfBytes(limit, input)
      return [longest, inPieces(longest, 16 * 1024)]
    }),
  },
  'bodies.are-looked-at-in-order': {
    title: 'Of several faults the first one is told: method, content type, size, JSON, fields, shop.',
    requirements: ['BODY-12'],
    run: eachPost(async (t, name) => {
      const tooLong = `{"padding":"${'x'.repeat(limit)}`
      const { path } = endpoints[name]
      const put = { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: tooLong }
      t.refused(await t.send({ ...put, path: `${path}/` }), 'endpoint_not_found')
      t.refused(await t.send({ ...put, path }), 'method_not_allowed')
      t.refused(await post(t, name, tooLong, 'text/plain'), 'unsupported_media_type')
      t.refused(await post(t, name, tooLong), 'payload_too_large')
      t.refused(await post(t, name, '{"email":'), 'invalid_request')
      // The customer is unknown too, which is for the shop to tell.
      const wrong = fieldsOf(name).findLast(([, { required }]) => required)?.[0] ?? 'email'
      t.refused(await post(t, name, JSON.stringify({ ...harmlessInput(t, name), [wrong]: [] })), 'invalid_request')
    }),
  },
  'bodies.keep-letters-that-are-cut-in-two': {
    title: 'A body that arrives in pieces of a few bytes is read as one, letters of several bytes included.',
    requirements: ['BODY-1'],
    run: reading((_valid, input) => [inPieces(JSON.stringify({ ...input, note: 'grüße, 你好, 🎁' }), 7)]),
  },
})

/** Makes bodies of a harmless one, which is given as JSON and as the object that it holds. */
type MakeBodies = (valid: string, input: object) => readonly NonNullable<RawRequest['body']>[]

/** The run of a check that each of these bodies is read, by each endpoint that takes one. */
function reading(makeBodies: MakeBodies): Check['run'] {
  return eachPost(async (t, name) => {
    for (const body of makeBodies(harmlessJson(t, name), harmlessInput(t, name))) {
      await expectThrough(t, await post(t, name, body), name)
    }
  })
}

/** The run of a check that each of these bodies is refused. */
function refusing(code: ErrorCode, makeBodies: MakeBodies): Check['run'] {
  return eachPost(async (t, name) => {
    for (const body of makeBodies(harmlessJson(t, name), harmlessInput(t, name))) {
      t.refused(await post(t, name, body), code)
    }
  })
}
