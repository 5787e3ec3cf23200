import { endpointNames, endpoints } from '@storeport/core'
import { type Check, onTheWire, define, defineEach } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { type FieldKind, fieldsOf, jsonOfBytes } from '../shop/inputs.ts'
import { expectHandled, marker, type Outcome, type Row, sendRows } from './cases.ts'

const { must, should } = about('error codes')
const privacy = about('privacy')

export const requirements: Requirements = {
  'ERROR-1': must(
    'Every error body is `{"success": false, "error": {"code", "message"}}` with two non-empty strings.',
    "The framework's own error format is returned, or `error` is a plain string.",
  ),
  'ERROR-2': should(
    'An error response has the code and the HTTP status of the error table.',
    'The shop uses its own codes or statuses, so the caller shows a general message.',
  ),
  'ERROR-3': should('The message of an invalid request names the field.', 'The message names no field.'),
  'ERROR-4': privacy.leaks(
    'An error response contains no stack trace, file path or class name.',
    'The response contains the exception.',
  ),
  'ERROR-5': should('No request causes a status of 500 or higher.', 'Unexpected input causes an exception.'),
  'ERROR-6': should(
    'A request that the profile lists under `refusals` returns the listed error code.',
    'The shop rejects the request for another reason, or accepts it.',
  ),
  'HTTP-1': should(
    'Oversized headers return 431 `headers_too_large`. An unknown `Expect` returns 417 with any error code, such as `invalid_request`. Every response to a request that the HTTP parser rejects has the JSON error body.',
    'The HTTP parser rejects the request before the application receives it. Configure the error page of the server or proxy.',
  ),
}

/** Strings that often cause an exception, or are repeated in an error message. */
const hostileStrings = Object.values({
  encodings: ['\u0000', '\ud800', '%', '"some one"@private.example'],
  injections: ['${7*7}', '{{7*7}}', "'; DROP TABLE customers; --", '../../etc/passwd'],
  long: ['a'.repeat(5000)],
}).flat()

/** Values that contain the marker. Each value is invalid, or refers to a customer or a record that does not exist. */
const markedValues: Readonly<Record<FieldKind, readonly unknown[]>> = {
  email: [marker, `${marker}@example.com`, `${marker}@`, `${marker}@${'x'.repeat(300)}`, [marker], { [marker]: 1 }],
  id: [marker, `${marker}${'x'.repeat(300)}`, `${marker}\u0000`, [marker], { [marker]: 1 }],
  date: [marker, `${marker}-01-01`, `2030-01-01${marker}`, [marker]],
  quantity: [marker, `1${marker}`, [marker], { [marker]: 1 }],
  flag: [marker, [marker], { [marker]: true }],
}

const markedBodies = [`{"email":${marker}}`, marker, `"${marker}"`, `["${marker}"]`, `{"${marker}":1}`]
const invalidBodies = ['{', 'null', '[]', '{"email":{"toString":1}}', ...markedBodies]

const revealsNothing: Outcome = (t, reply) => {
  expectHandled(t, reply)
  if (reply.status === 200) return
  t.errorBody(reply)
  t.ok(!/[^\s@]@[^\s@]/.test(reply.text), 'no email address', reply, 'PRIVACY-1')
}

const ofEach = defineEach(endpointNames, onTheWire, requirements, (name) => ({
  'repeats-no-input-in-an-error': {
    title:
      'No error response repeats values from the path, the query or the body, or contains an email address or internal details of the server, and no unusual input causes a status of 500 or higher.',
    requirements: ['PRIVACY-1', 'ERROR-4', 'ERROR-5', 'ERROR-1'],
    async run(t) {
      const isPost = endpoints[name].method === 'POST'
      const ofFields = fieldsOf(name).flatMap(([field, { kind }]): readonly Row[] => {
        const values = [...hostileStrings, ...markedValues[kind]].filter((one) => isPost || typeof one === 'string')
        const queries = isPost ? [] : [`${marker}&${field}=${marker}`, `${marker}%`, `${marker}%ff`]
        return [
          ...values.map((value) => ({ fields: { [field]: value } })),
          ...queries.map((query) => ({ query: `${field}=${query}` })),
        ]
      })
      const ofPosts: readonly Row[] = [
        { type: `text/${marker}` },
        { headers: { 'Idempotency-Key': `${marker} ${marker}` } },
        ...invalidBodies.map((body) => ({ body })),
      ]
      await sendRows(t, name, revealsNothing, [{}, ...ofFields, ...(isPost ? ofPosts : [])])
      // A framework can respond to a path without a route. The checks of routing require the API's response.
      const isHandled: Outcome = (context, reply) => expectHandled(context, reply)
      await sendRows(t, name, isHandled, [{ path: (path) => `${path}/${marker}` }])
    },
  },
}))

const general = define(onTheWire, requirements, {
  'errors.of-the-profile-are-returned': {
    requirements: ['ERROR-6', 'ERROR-2'],
    // Not `read-only`, because a shop that accepts a request by mistake would change the data of an existing customer.
    mode: 'write',
    layer: 'shop',
    async run(t) {
      const refusals = t.profile.refusals.filter(({ call }) => t.offered.includes(call))
      for (const { call, input, code } of refusals) t.rejected(await t.call(call, input), code)
    },
  },
  'errors.of-the-http-parser-have-the-error-body': {
    requirements: ['HTTP-1'],
    requires: ['http-parser'],
    async run(t) {
      const reply = await t.send({ path: '/no-such-path', headers: { 'X-Large': jsonOfBytes(64 * 1024, {}) } })
      t.errorBody(reply, 'HTTP-1')
      t.rejected(reply, 'headers_too_large')
      const expectation = await t.send({ path: '/no-such-path', headers: { Expect: 'the-impossible' } })
      t.status(expectation, 417)
      t.errorBody(expectation, 'HTTP-1')
    },
  },
})

export const checks: readonly Check[] = [...ofEach, ...general]
