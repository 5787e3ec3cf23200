import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import { errorMessageOf } from '../engine/expectations.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { callHarmless, eachOffered, fieldsOf, jsonOfBytes, post, postNames, sendable } from '../shop/inputs.ts'

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
  'ERROR-3': should(
    'The message of an invalid request names the field.',
    'The message does not name the invalid field.',
  ),
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

/** Stack traces, file paths, class names, and fragments of SQL and of database errors. */
const internals =
  /\n\s+at |\bat .+:\d+:\d+|node_modules|\.(?:ts|js|py|rb|php|java|go):\d+|Traceback|Exception\b|(?:Type|Syntax|Reference|Zod|Range)Error|SQLSTATE|SQLITE_|\b(?:SELECT|INSERT|UPDATE|DELETE)\b.+\b(?:FROM|INTO|SET)\b|syntax error|constraint failed|duplicate key|no such (?:table|column)|Fatal error|goroutine \d/

export const checks: readonly Check[] = define(onTheWire, {
  'errors.contain-no-email-address': {
    title: 'No error body contains an email address.',
    requirements: ['PRIVACY-1'],
    run: eachOffered(async (t, name) => {
      const unknown = t.profile.customers.unknown
      const replies: Reply[] = [await callHarmless(t, name, { email: unknown })]
      for (const [field] of fieldsOf(name)) {
        replies.push(await callHarmless(t, name, { [field]: '"some one"@private.example' }))
      }
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        t.ok(!/[^\s@]@[^\s@]/.test(reply.text), 'no email address', reply)
      }
    }),
  },
  'errors.contain-no-stack-trace': {
    title: 'No error body contains a stack trace, a file path or a class name.',
    requirements: ['ERROR-4'],
    async run(t) {
      for (const name of t.offered) {
        const replies = [await t.call(name), await t.call(name, { email: 'no address' }), await callHarmless(t, name)]
        for (const body of postNames.includes(name) ? ['{', 'null', '[]', '{"email":{"toString":1}}'] : []) {
          replies.push(await post(t, name, body))
        }
        for (const reply of replies) t.ok(!internals.test(reply.text), 'no internal details of the server', reply)
      }
    },
  },
  'errors.never-cause-a-server-error': {
    title: 'Unusual input never causes a status of 500 or higher.',
    requirements: ['ERROR-5', 'ERROR-1'],
    async run(t) {
      const hostileStrings = ['${7*7}', '{{7*7}}', "'; DROP TABLE customers; --", '../../etc/passwd']
      for (const name of t.offered) {
        for (const [field] of fieldsOf(name)) {
          for (const value of ['\u0000', '\ud800', '%', ...hostileStrings, 'a'.repeat(5000)]) {
            const reply = await callHarmless(t, name, { [field]: sendable(name, value) })
            t.ok(reply.status < 500, 'a status below 500', reply)
            if (reply.status !== 200) t.errorBody(reply)
          }
        }
      }
    },
  },
  'errors.of-the-profile-are-returned': {
    title: 'Each request that the profile lists under `refusals` returns the listed error code.',
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
    title:
      'A request with oversized headers returns 431 `headers_too_large`, and a request with an unknown `Expect` returns 417 with any error code. Both responses have the error body.',
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

/** Expects that a request found nothing and caused no error. `general` is the response to a request without a field. */
export function expectNoMatch(
  t: CheckContext,
  reply: Reply,
  value: unknown,
  requirement: RequirementId,
  general?: string,
): void {
  expectHandled(t, reply, value)
  if (general !== undefined && reply.text === general) return
  t.ok(reply.status >= 400, 'a rejection, because the request names no record', reply, requirement)
  // A framework may reject a content coding itself.
  if (requirement !== 'ODD-2') t.errorBody(reply, 'ERROR-1')
}

/** Expects no server error, no internal details, and no value of the request in the message. */
export function expectHandled(t: CheckContext, reply: Reply, value?: unknown): void {
  t.ok(reply.status < 500, 'a status below 500', reply, 'ERROR-5')
  t.ok(!internals.test(reply.text), 'no internal details of the server', reply, 'ERROR-4')
  const isEcho = typeof value === 'string' && value.length >= 6 && errorMessageOf(reply).includes(value)
  t.ok(!isEcho, 'a message without a value of the request', reply, 'PRIVACY-1')
}
