import { addDays } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readSubscription } from '../shop/customers.ts'
import { otherChangeNeeds } from '../shop/changes.ts'
import { callHarmless, eachAnswer, sampleAnswers } from '../shop/inputs.ts'

const { should } = about('response headers')

export const requirements: Requirements = {
  'HEADER-1': should(
    'Every response has `Content-Type: application/json; charset=utf-8`.',
    'The framework sets the content type and omits the charset. Set the complete value.',
  ),
  'HEADER-2': should(
    'Every response has `Cache-Control: no-store`.',
    'The framework or the proxy sets other caching headers. Set `Cache-Control: no-store` for every response.',
  ),
  'HEADER-3': should(
    'Every response has `X-Content-Type-Options: nosniff`.',
    'No code sets `X-Content-Type-Options`. Set the header for every response, including errors.',
  ),
  'HEADER-4': should(
    'Every response has a unique `X-Request-Id`.',
    'No `X-Request-Id` is generated, or one id is used for the whole process. Generate a UUID for each request.',
  ),
  'HEADER-5': should(
    'An `X-Request-Id` of 1–128 letters, digits, `.`, `_` or `-` is returned unchanged.',
    'The server ignores the `X-Request-Id` of the request. Return a valid id unchanged.',
  ),
  'HEADER-6': should(
    'Any other `X-Request-Id` is replaced.',
    'Every `X-Request-Id` is returned and logged. Generate a new id unless the received id is valid.',
  ),
  'HEADER-7': should('No response has a CORS header.', 'CORS middleware is mounted for the whole server.'),
}

export const checks: readonly Check[] = define(onTheWire, {
  'responses.have-one-content-type': {
    title: 'Every response has `Content-Type: application/json; charset=utf-8`.',
    requirements: ['HEADER-1'],
    run: eachAnswer((t, reply) => expectStandardHeaders(t, reply, ['Content-Type'])),
  },
  'responses.are-not-stored': {
    title: 'Every response has `Cache-Control: no-store`.',
    requirements: ['HEADER-2'],
    run: eachAnswer((t, reply) => expectStandardHeaders(t, reply, ['Cache-Control'])),
  },
  'responses.are-not-sniffed': {
    title: 'Every response has `X-Content-Type-Options: nosniff`.',
    requirements: ['HEADER-3'],
    run: eachAnswer((t, reply) => expectStandardHeaders(t, reply, ['X-Content-Type-Options'])),
  },
  'responses.of-actions-have-the-standard-headers': {
    title: 'The response to an action has the standard headers.',
    requirements: ['HEADER-1', 'HEADER-2', 'HEADER-3', 'HEADER-4'],
    mode: 'write',
    needs: otherChangeNeeds,
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      const reply = await t.call('delaySubscription', { email, new_date: addDays(next_billing_date, 1) })
      t.accepted(reply, 'DELAY-1')
      expectStandardHeaders(t, reply)
      t.ok(reply.header('X-Request-Id') !== undefined, 'an X-Request-Id', reply, 'HEADER-4')
    },
  },
  'responses.have-a-request-id': {
    title: 'Every response has a unique `X-Request-Id`.',
    requirements: ['HEADER-4'],
    async run(t) {
      const seen = new Set<string>()
      for (const reply of await sampleAnswers(t)) {
        const id = reply.header('X-Request-Id') ?? ''
        t.ok(id !== '', 'an X-Request-Id', reply)
        t.ok(!seen.has(id), 'a unique X-Request-Id', reply)
        seen.add(id)
      }
    },
  },
  'responses.echo-the-request-id': {
    title: 'An `X-Request-Id` of 1–128 letters, digits, `.`, `_` or `-` is returned, including in error responses.',
    requirements: ['HEADER-5'],
    async run(t) {
      for (const id of ['a', 'Click_2.of-3', 'x'.repeat(128)]) {
        const replies = await withHeaders(t, { 'X-Request-Id': id }, 'GET')
        for (const reply of replies) t.equal(reply.header('X-Request-Id'), id, 'X-Request-Id', reply)
      }
    },
  },
  'responses.replace-an-invalid-request-id': {
    title: 'An `X-Request-Id` that is too long, or contains other characters, is replaced.',
    requirements: ['HEADER-6'],
    async run(t) {
      for (const id of ['x'.repeat(129), 'two words', '<script>', 'a,b', '{"$ne":1}', 'a/b', 'é']) {
        const reply = await t.send({ path: '/no-such-path', headers: { 'X-Request-Id': id } })
        const answered = reply.header('X-Request-Id') ?? ''
        const expected = 'an X-Request-Id that contains only letters, digits, `.`, `_`, `-`, at most 128'
        t.ok(/^[A-Za-z0-9._-]{1,128}$/.test(answered), expected, reply)
      }
    },
  },
  'responses.have-no-cors-header': {
    title: 'No response has a header that allows another origin to read the response.',
    requirements: ['HEADER-7'],
    async run(t) {
      const preflight = {
        Origin: 'https://mail.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      }
      for (const reply of await withHeaders(t, preflight, 'OPTIONS')) {
        const allows = reply.headers.some(([name]) => name.toLowerCase().startsWith('access-control-'))
        t.ok(!allows, 'no Access-Control header', reply)
      }
    },
  },
})

/** Sends requests with these headers, with and without a key. Returns the responses. */
async function withHeaders(t: CheckContext, headers: Readonly<Record<string, string>>, method: 'GET' | 'OPTIONS') {
  const replies = [
    await t.send({ path: '/no-such-path', headers }),
    await t.send({ method, path: '/no-such-path', headers, key: null }),
  ]
  for (const name of t.offered) replies.push(await callHarmless(t, name, {}, { headers }))
  return replies
}

/**
 * Standard response headers, each with its requirement and its value. The value is in lower case and without spaces for
 * the comparison.
 */
const standardHeaders = {
  'Content-Type': ['HEADER-1', 'application/json;charset=utf-8'],
  'Cache-Control': ['HEADER-2', 'no-store'],
  'X-Content-Type-Options': ['HEADER-3', 'nosniff'],
} as const

const standardHeaderNames = ['Content-Type', 'Cache-Control', 'X-Content-Type-Options'] as const

/** Expects the standard response headers. */
function expectStandardHeaders(
  t: CheckContext,
  reply: Reply,
  names: readonly (keyof typeof standardHeaders)[] = standardHeaderNames,
): void {
  for (const name of names) {
    const [requirement, expected] = standardHeaders[name]
    t.equal(reply.header(name)?.toLowerCase().replace(/\s/g, ''), expected, name, reply, requirement)
  }
}
