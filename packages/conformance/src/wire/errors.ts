import { type Check, define, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { callHarmless, eachOffered, fieldsOf, jsonOfBytes, post, postNames, sendable } from '../steps/inputs.ts'

const { must, should } = about('error codes')
const privacy = about('privacy')

/** What refusals say, and what they keep to themselves. */
export const requirements: Requirements = {
  'ERROR-1': must(
    'Every error body is `{"success": false, "error": {"code", "message"}}` with two texts that are not empty.',
    "The framework's own error form is sent, or `error` is a plain text.",
  ),
  'ERROR-2': should(
    'A refusal has the code and the HTTP status of the table of error codes.',
    'The shop has codes or statuses of its own: the caller shows a general message then.',
  ),
  'ERROR-3': should(
    'The message of an invalid request names the field.',
    'The message says that something is wrong, and not which field.',
  ),
  'ERROR-4': privacy.should(
    'An error message holds no email address and no stack trace.',
    'The exception, or the value that was sent, is put into the message.',
  ),
  'ERROR-5': should(
    'Nothing that a caller sends is answered with a status of 500 or more.',
    'An input that nobody thought of ends in an exception.',
  ),
  'ERROR-6': should(
    'A refusal that the profile lists is answered with the code that the profile names.',
    'The shop refuses the call for another reason than the profile says, or not at all.',
  ),
  'HTTP-1': should(
    'A request that the HTTP parser refuses is answered in the envelope too.',
    'What the HTTP parser refuses never reaches the application.',
  ),
}

/** What refusals say, and what they keep to themselves. */
export const checks: readonly Check[] = define(onTheWire, {
  'errors.hold-no-email-address': {
    title: 'No error body holds the address that was sent, nor any other.',
    requirements: ['ERROR-4'],
    run: eachOffered(async (t, name) => {
      const unknown = t.profile.customers.unknown
      const replies: Reply[] = [await callHarmless(t, name, { email: unknown })]
      for (const [field] of fieldsOf(name)) {
        replies.push(await callHarmless(t, name, { [field]: '"some one"@private.example' }))
      }
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        t.that(!/[^\s@]@[^\s@]/.test(reply.text), 'no email address', reply)
      }
    }),
  },
  'errors.hold-no-stack-trace': {
    title: 'No error body holds a stack trace, a path of a file or a name of a class.',
    requirements: ['ERROR-4'],
    async run(t) {
      const inside =
        /\n\s+at |\bat .+:\d+:\d+|node_modules|\.(?:ts|js|py|rb|php|java|go):\d+|Traceback|Exception\b|(?:Type|Syntax|Reference|Zod|Range)Error/
      for (const name of t.offered) {
        const replies = [await t.call(name), await t.call(name, { email: 'no address' }), await callHarmless(t, name)]
        for (const body of postNames.includes(name) ? ['{', 'null', '[]', '{"email":{"toString":1}}'] : []) {
          replies.push(await post(t, name, body))
        }
        for (const reply of replies) t.that(!inside.test(reply.text), 'nothing about the inside of the server', reply)
      }
    },
  },
  'errors.are-never-the-fault-of-the-server': {
    title: 'Nothing odd that a caller sends is answered with 500 or more.',
    requirements: ['ERROR-5', 'ERROR-1'],
    async run(t) {
      const meant = ['${7*7}', '{{7*7}}', "'; DROP TABLE customers; --", '../../etc/passwd']
      for (const name of t.offered) {
        for (const [field] of fieldsOf(name)) {
          for (const value of ['\u0000', '\ud800', '%', ...meant, 'a'.repeat(5000)]) {
            const reply = await callHarmless(t, name, { [field]: sendable(name, value) })
            t.that(reply.status < 500, 'a status below 500', reply)
            if (reply.status !== 200) t.errorBody(reply)
          }
        }
      }
    },
  },
  'errors.of-the-profile-are-answered': {
    title: 'Each refusal that the profile lists is answered with its code.',
    requirements: ['ERROR-6', 'ERROR-2'],
    // The refused calls name customers of the shop: one that is not refused would change what they have.
    mode: 'write',
    layer: 'shop',
    async run(t) {
      const refusals = t.profile.refusals.filter(({ call }) => t.offered.includes(call))
      for (const { call, input, code } of refusals) t.refused(await t.call(call, input), code)
    },
  },
  'errors.of-the-http-parser-are-in-the-envelope': {
    title: 'Headers that are too large are 431 `headers_too_large` and an unknown `Expect` is 417, in the error body.',
    requirements: ['HTTP-1'],
    requires: ['http-parser'],
    async run(t) {
      const reply = await t.send({ path: '/no-such-path', headers: { 'X-Large': jsonOfBytes(64 * 1024, {}) } })
      t.errorBody(reply, 'HTTP-1')
      t.refused(reply, 'headers_too_large')
      const expectation = await t.send({ path: '/no-such-path', headers: { Expect: 'the-impossible' } })
      t.status(expectation, 417)
      t.errorBody(expectation, 'HTTP-1')
    },
  },
})
