import { type Check, type CheckContext, onTheWire, define, tests } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { callHarmless, eachAnswer, eachOffered, expectValid, sampleAnswers } from '../shop/inputs.ts'
import { inHeader } from './authentication.ts'

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

/** Standard headers of every response, by the end of the check id. The comparison ignores letter case and spaces. */
const standardHeaders = {
  'have-one-content-type': ['HEADER-1', 'Content-Type', 'application/json;charset=utf-8'],
  'are-not-stored': ['HEADER-2', 'Cache-Control', 'no-store'],
  'are-not-sniffed': ['HEADER-3', 'X-Content-Type-Options', 'nosniff'],
} as const

type StandardHeader = readonly [id: RequirementId, name: string, value: string]

function expectHeader(t: CheckContext, reply: Reply, [id, name, value]: StandardHeader): void {
  t.equal(reply.header(name)?.toLowerCase().replace(/\s/g, ''), value, name, reply, id)
}

/** Expects the standard headers. `requirement` fails instead of the requirements of the headers. */
export function expectStandardHeaders(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  for (const [id, name, value] of Object.values(standardHeaders))
    expectHeader(t, reply, [requirement ?? id, name, value])
  t.ok((reply.header('X-Request-Id') ?? '') !== '', 'an X-Request-Id', reply, requirement ?? 'HEADER-4')
}

const ofEveryResponse = Object.entries(standardHeaders).flatMap(([id, row]) =>
  define(onTheWire, requirements, {
    [`responses.${id}`]: { requirements: [row[0]], run: eachAnswer((t, reply) => expectHeader(t, reply, row)) },
  }),
)

const general = define(onTheWire, requirements, {
  'responses.have-a-request-id': tests(['HEADER-4'], async (t) => {
    const seen = new Set<string>()
    for (const reply of await sampleAnswers(t)) {
      const id = reply.header('X-Request-Id') ?? ''
      t.ok(id !== '', 'an X-Request-Id', reply)
      t.ok(!seen.has(id), 'a unique X-Request-Id', reply)
      seen.add(id)
    }
  }),
  'responses.echo-the-request-id': tests(['HEADER-5'], async (t) => {
    for (const id of ['a', 'Click_2.of-3', 'x'.repeat(128)]) {
      for (const reply of await withHeaders(t, { 'X-Request-Id': id }, 'GET'))
        t.equal(reply.header('X-Request-Id'), id, 'X-Request-Id', reply)
    }
  }),
  'responses.replace-an-invalid-request-id': {
    title: 'An `X-Request-Id` that is too long, or contains other characters, is replaced and causes no error.',
    requirements: ['HEADER-6', 'ERROR-5'],
    run: eachOffered(async (t, name) => {
      const words = ['two words', '<script>', 'a,b', '{"$ne":1}', 'a/b', "a'b", 'a\tb', '${x}']
      const letters = ['é', '\u00ff', inHeader('номер')]
      for (const id of [...words, ...letters, ...[129, 2000, 7000].map((length) => 'x'.repeat(length))]) {
        const reply = await callHarmless(t, name, {}, { headers: { 'X-Request-Id': id } })
        await expectValid(t, reply, name, 'ERROR-5')
        const isValid = /^[A-Za-z0-9._-]{1,128}$/.test(reply.header('X-Request-Id') ?? '')
        t.ok(isValid, 'an X-Request-Id that contains only letters, digits, `.`, `_`, `-`, at most 128', reply)
      }
    }),
  },
  'responses.have-no-cors-header': tests(['HEADER-7'], async (t) => {
    const preflight = {
      Origin: 'https://mail.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    }
    for (const reply of await withHeaders(t, preflight, 'OPTIONS')) {
      const allows = reply.headers.some(([name]) => name.toLowerCase().startsWith('access-control-'))
      t.ok(!allows, 'no Access-Control header', reply)
    }
  }),
})

export const checks: readonly Check[] = [...ofEveryResponse, ...general]

/** Sends requests with these headers, with and without a key. Returns the responses. */
async function withHeaders(t: CheckContext, headers: Readonly<Record<string, string>>, method: 'GET' | 'OPTIONS') {
  const replies = [
    await t.send({ path: '/no-such-path', headers }),
    await t.send({ method, path: '/no-such-path', headers, key: null }),
  ]
  for (const name of t.offered) replies.push(await callHarmless(t, name, {}, { headers }))
  return replies
}
