import { addDays } from '@storeport/core'
import { type Check, type CheckContext, define, onTheWire } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readSubscription } from '../steps/customers.ts'
import { clickBetweenNeeds } from '../steps/changes.ts'
import { callHarmless, eachAnswer, sampleAnswers } from '../steps/inputs.ts'

const { should } = about('response headers')

/** The headers of every answer. */
export const requirements: Requirements = {
  'HEADER-1': should(
    'Every answer has `Content-Type: application/json; charset=utf-8`.',
    'The content type is left to the framework, which leaves out the charset.',
  ),
  'HEADER-2': should('Every answer has `Cache-Control: no-store`.', 'Caching is left to the framework or the proxy.'),
  'HEADER-3': should('Every answer has `X-Content-Type-Options: nosniff`.', 'The header is not set.'),
  'HEADER-4': should(
    'Every answer has an `X-Request-Id`, a new one for each call.',
    'No request id is made, or one for the whole process.',
  ),
  'HEADER-5': should(
    'An `X-Request-Id` of 1–128 letters, digits, `.`, `_` or `-` is echoed.',
    'The server always makes an id of its own.',
  ),
  'HEADER-6': should(
    'Any other `X-Request-Id` is replaced.',
    'Whatever was sent is echoed, and so gets into the logs.',
  ),
  'HEADER-7': should('No answer has a CORS header.', 'A CORS middleware is mounted for the whole server.'),
}

/** The headers of every answer. */
export const checks: readonly Check[] = define(onTheWire, {
  'answers.have-one-content-type': {
    title: 'Every answer has `Content-Type: application/json; charset=utf-8`.',
    requirements: ['HEADER-1'],
    run: eachAnswer((t, reply) => expectUsual(t, reply, ['Content-Type'])),
  },
  'answers.are-not-stored': {
    title: 'Every answer has `Cache-Control: no-store`.',
    requirements: ['HEADER-2'],
    run: eachAnswer((t, reply) => expectUsual(t, reply, ['Cache-Control'])),
  },
  'answers.are-not-sniffed': {
    title: 'Every answer has `X-Content-Type-Options: nosniff`.',
    requirements: ['HEADER-3'],
    run: eachAnswer((t, reply) => expectUsual(t, reply, ['X-Content-Type-Options'])),
  },
  'answers.of-actions-have-the-headers-too': {
    title: 'The answer to an action has the same headers as every other.',
    requirements: ['HEADER-1', 'HEADER-2', 'HEADER-3', 'HEADER-4'],
    mode: 'write',
    needs: clickBetweenNeeds,
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      const reply = await t.call('delaySubscription', { email, new_date: addDays(next_billing_date, 1) })
      t.accepted(reply, 'DELAY-1')
      expectUsual(t, reply)
      t.that(reply.header('X-Request-Id') !== undefined, 'an X-Request-Id', reply, 'HEADER-4')
    },
  },
  'answers.have-a-request-id': {
    title: 'Every answer has an `X-Request-Id` of its own.',
    requirements: ['HEADER-4'],
    async run(t) {
      const seen = new Set<string>()
      for (const reply of await sampleAnswers(t)) {
        const id = reply.header('X-Request-Id') ?? ''
        t.that(id !== '', 'an X-Request-Id', reply)
        t.that(!seen.has(id), 'an X-Request-Id that no other answer has', reply)
        seen.add(id)
      }
    },
  },
  'answers.echo-the-request-id': {
    title: 'An `X-Request-Id` of 1–128 letters, digits, `.`, `_` or `-` comes back, also with an error.',
    requirements: ['HEADER-5'],
    async run(t) {
      for (const id of ['a', 'Click_2.of-3', 'x'.repeat(128)]) {
        const replies = await withHeaders(t, { 'X-Request-Id': id }, 'GET')
        for (const reply of replies) t.equal(reply.header('X-Request-Id'), id, 'X-Request-Id', reply)
      }
    },
  },
  'answers.replace-a-strange-request-id': {
    title: 'An `X-Request-Id` that is too long, or holds other characters, is replaced.',
    requirements: ['HEADER-6'],
    async run(t) {
      for (const id of ['x'.repeat(129), 'two words', '<script>', 'a,b', '{"$ne":1}', 'a/b', 'é']) {
        const reply = await t.send({ path: '/no-such-path', headers: { 'X-Request-Id': id } })
        const answered = reply.header('X-Request-Id') ?? ''
        t.that(/^[A-Za-z0-9._-]{1,128}$/.test(answered), 'an X-Request-Id of the allowed characters', reply)
      }
    },
  },
  'answers.have-no-cors-header': {
    title: 'No answer allows another site to read it.',
    requirements: ['HEADER-7'],
    async run(t) {
      const preflight = {
        Origin: 'https://mail.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      }
      for (const reply of await withHeaders(t, preflight, 'OPTIONS')) {
        const allows = reply.headers.some(([name]) => name.toLowerCase().startsWith('access-control-'))
        t.that(!allows, 'no Access-Control header', reply)
      }
    },
  },
})

/** Answers to calls with these headers, with and without a key. */
async function withHeaders(t: CheckContext, headers: Readonly<Record<string, string>>, method: 'GET' | 'OPTIONS') {
  const replies = [
    await t.send({ path: '/no-such-path', headers }),
    await t.send({ method, path: '/no-such-path', headers, key: null }),
  ]
  for (const name of t.offered) replies.push(await callHarmless(t, name, {}, { headers }))
  return replies
}

/** The headers of every answer, with the requirement of each, and what they hold but for spaces and the case of letters. */
const usual = {
  'Content-Type': ['HEADER-1', 'application/json;charset=utf-8'],
  'Cache-Control': ['HEADER-2', 'no-store'],
  'X-Content-Type-Options': ['HEADER-3', 'nosniff'],
} as const

const usualNames = ['Content-Type', 'Cache-Control', 'X-Content-Type-Options'] as const

/** Expects the headers that every answer has. */
function expectUsual(t: CheckContext, reply: Reply, names: readonly (keyof typeof usual)[] = usualNames): void {
  for (const name of names) {
    const [requirement, expected] = usual[name]
    t.equal(reply.header(name)?.toLowerCase().replace(/\s/g, ''), expected, name, reply, requirement)
  }
}
