import { endpoints } from '@storeport/core'
import { type Check, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  eachPost,
  expectThrough,
  fieldsOf,
  harmlessInput,
  harmlessJson,
  inPieces,
  jsonOfBytes,
  offeredPosts,
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
    async run(t) {
      const types = [
        'application/json',
        'application/json; charset=utf-8',
        'application/json;charset=UTF-8',
        'application/json; charset="utf-8"',
        'application/json; charset=utf-8; version=1',
        'Application/JSON',
      ]
      for (const name of offeredPosts(t)) {
        for (const type of types) await expectThrough(t, await post(t, name, harmlessJson(t, name), type), name)
      }
    },
  },
  'bodies.refuse-another-content-type': {
    title: 'Another content type than `application/json`, or none, is 415.',
    requirements: ['BODY-2'],
    async run(t) {
      const types = [
        null,
        '',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        'application/json-patch+json',
        'text/json',
        'application/xml; note=application/json',
      ]
      for (const name of offeredPosts(t)) {
        for (const type of types) {
          t.refused(await post(t, name, harmlessJson(t, name), type), 'unsupported_media_type')
        }
      }
    },
  },
  'bodies.refuse-what-is-no-json': {
    title: 'A body that is empty, cut off or no JSON is 400 `invalid_request`.',
    requirements: ['BODY-5'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      const unreadable = [
        '',
        ' ',
        valid.slice(0, -1),
        `${valid}}`,
        `${valid}${valid}`,
        valid.replace('}', ',}'),
        valid.replaceAll('"', "'"),
        `/* comment */${valid}`,
        'email=nobody.at.all%40example.com',
        '<email>nobody.at.all@example.com</email>',
        'undefined',
        'NaN',
      ]
      for (const body of unreadable) t.refused(await post(t, name, body), 'invalid_request')
    }),
  },
  'bodies.refuse-json-that-is-no-object': {
    title: 'JSON that is an array, a text, a number, a boolean or `null` is 400 `invalid_request`.',
    requirements: ['BODY-6'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      for (const body of ['null', '[]', `[${valid}]`, '"text"', JSON.stringify(valid), '1', 'true', 'false']) {
        t.refused(await post(t, name, body), 'invalid_request')
      }
    }),
  },
  'bodies.ignore-a-byte-order-mark': {
    title: 'A byte-order mark before the JSON is ignored.',
    requirements: ['BODY-7'],
    run: eachPost(async (t, name) => {
      await expectThrough(t, await post(t, name, `\uFEFF${harmlessJson(t, name)}`), name)
    }),
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
    async run(t) {
      const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
      const deepObject = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
      for (const name of offeredPosts(t)) {
        const valid = harmlessJson(t, name)
        for (const field of ['"utm_source":"mail"', '"metadata":{"a":[1,null]}', `"x":${deep}`, `"x":${deepObject}`]) {
          await expectThrough(t, await post(t, name, valid.replace('{', `{${field},`)), name)
        }
      }
    },
  },
  'bodies.give-no-power-to-proto': {
    title: 'A field called `__proto__` or `constructor` neither fills in fields nor leaves traces.',
    requirements: ['BODY-10'],
    run: eachPost(async (t, name) => {
      const valid = harmlessJson(t, name)
      t.refused(await post(t, name, `{"__proto__":${valid}}`), 'invalid_request')
      t.refused(await post(t, name, `{"constructor":{"prototype":${valid}}}`), 'invalid_request')
      t.refused(await post(t, name, '{}'), 'invalid_request')
      await expectThrough(t, await post(t, name, valid.replace('{', '{"__proto__":{"quantity":"x"},')), name)
      await expectThrough(t, await post(t, name, valid.replace('{', '{"constructor":null,"toString":1,')), name)
    }),
  },
  'bodies.alone-hold-the-fields': {
    title: 'The query of a POST fills in no field.',
    requirements: ['BODY-11'],
    run: eachPost(async (t, name) => {
      const input = harmlessInput(t, name)
      const pairs = Object.entries(input).map(([field, value]) => `${field}=${encodeURIComponent(String(value))}`)
      t.refused(await post(t, name, '{}', 'application/json', `?${pairs.join('&')}`), 'invalid_request')
      const reply = await post(t, name, JSON.stringify(input), 'application/json', '?email=no-address&email=again')
      await expectThrough(t, reply, name)
    }),
  },
  'bodies.refuse-more-than-64-kib': {
    title: 'A body of 64 KiB and one byte is 413, also when its length is not announced.',
    requirements: ['BODY-3'],
    run: eachPost(async (t, name) => {
      const tooLong = jsonOfBytes(limit + 1, harmlessInput(t, name))
      t.refused(await post(t, name, tooLong), 'payload_too_large')
      t.refused(await post(t, name, inPieces(tooLong, 16 * 1024)), 'payload_too_large')
      // Fewer characters than the limit, more bytes.
      const wide = JSON.stringify({ ...harmlessInput(t, name), padding: 'é'.repeat(limit / 2) })
      t.that(Buffer.byteLength(wide) > limit, 'a body that is too long')
      t.refused(await post(t, name, wide), 'payload_too_large')
    }),
  },
  'bodies.accept-64-kib': {
    title: 'A body of exactly 64 KiB is read, also when its length is not announced.',
    requirements: ['BODY-4'],
    run: eachPost(async (t, name) => {
      const longest = jsonOfBytes(limit, harmlessInput(t, name))
      await expectThrough(t, await post(t, name, longest), name)
      await expectThrough(t, await post(t, name, inPieces(longest, 16 * 1024)), name)
    }),
  },
  'bodies.are-looked-at-in-order': {
    title: 'Of several faults the first one is told: method, content type, size, JSON, fields, shop.',
    requirements: ['BODY-12'],
    async run(t) {
      const tooLong = `{"padding":"${'x'.repeat(limit)}`
      for (const name of offeredPosts(t)) {
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
      }
    },
  },
  'bodies.keep-letters-that-are-cut-in-two': {
    title: 'A body that arrives in pieces of a few bytes is read as one, letters of several bytes included.',
    requirements: ['BODY-1'],
    run: eachPost(async (t, name) => {
      const body = JSON.stringify({ ...harmlessInput(t, name), note: 'grüße, 你好, 🎁' })
      await expectThrough(t, await post(t, name, inPieces(body, 7)), name)
    }),
  },
})
