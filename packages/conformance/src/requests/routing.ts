import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, onTheWire, define, defineEach, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import { callHarmless, eachGet, expectValid, harmlessTarget, json } from '../shop/inputs.ts'
import { expectHandled, harmlessOf, type Outcome, type Row, sendRows, toEach } from './cases.ts'

const { must, should } = about('paths and methods')

export const requirements: Requirements = {
  'ROUTE-1': must(
    'Each offered endpoint responds to requests with its method and path.',
    'The base path or the method of the route differs from the specification.',
  ),
  'ROUTE-2': should(
    'A request to an unknown path below the base path returns 404 `endpoint_not_found`.',
    'The framework returns its own 404 page.',
  ),
  'ROUTE-3': should(
    'An endpoint that the shop does not offer returns 404 `endpoint_not_available`.',
    'The framework returns its own 404 page for the missing endpoint.',
  ),
  'ROUTE-4': should(
    'A request to a known path with another method returns 405 `method_not_allowed` with an `Allow` header that lists the allowed methods.',
    'The framework returns 404, or omits `Allow`.',
  ),
  'ROUTE-5': should('HEAD returns the same status and headers as GET, without a body.', 'HEAD is not registered.'),
  'ROUTE-6': should(
    'Paths match exactly. A path with a trailing slash, a double slash, dot segments, encoded letters or different letter case does not match.',
    'The router is lenient about slashes, letter case or encoding, so access rules in front of it can be bypassed.',
  ),
  'ROUTE-7': should(
    'An OPTIONS request returns 405, like any other method that is not allowed.',
    'CORS middleware or the framework handles OPTIONS.',
  ),
  'ROUTE-8': should('Headers and query parameters that override the method are ignored.', 'An override is supported.'),
  'ROUTE-9': should(
    'A request to a path with invalid percent-encoding returns 404 `endpoint_not_found`, like a request to any other unknown path.',
    'The router decodes the path, and the framework handles the exception. Return 404 `endpoint_not_found` for it.',
  ),
}

const otherMethods = defineEach(endpointNames, onTheWire, requirements, (name) => ({
  'rejects-other-methods': tests(['ROUTE-4', 'ROUTE-7'], async (t) => {
    const isGet = endpoints[name].method === 'GET'
    const body = harmlessOf(t, name).json
    const others = [isGet ? 'POST' : 'GET', 'PUT', 'PATCH', 'DELETE']
    const rows = others.map((method): Row => ({ method, query: '', ...(method !== 'GET' && { body }) }))
    await sendRows(t, name, expectNotAllowed, rows)
    const options = await t.send({ method: 'OPTIONS', path: endpoints[name].path })
    t.rejected(options, 'method_not_allowed', 'ROUTE-7')
    expectNotAllowed(t, options, name)
    if (!isGet) t.status(await t.send({ method: 'HEAD', path: endpoints[name].path }), 405)
  }),
}))

type ChangePath = (path: string) => string

/** A check that expects 404 for each changed path of each endpoint. */
const noMatch = (...changes: readonly ChangePath[]) =>
  toEach(['ROUTE-6'], expectNotFound, () => changes.map((path) => ({ path })))

const withoutError: Outcome = (t, reply) => {
  expectHandled(t, reply)
  t.rejected(reply, 'endpoint_not_found')
}

const general = define(onTheWire, requirements, {
  'routing.serves-every-path': tests(['ROUTE-1', 'ROUTE-3'], async (t) => {
    for (const name of endpointNames.filter((each) => t.maySend(endpoints[each].method))) {
      const reply = await callHarmless(t, name)
      if (t.offered.includes(name)) await expectValid(t, reply, name)
      else t.rejected(reply, 'endpoint_not_available', 'ROUTE-3')
    }
  }),
  'routing.rejects-unknown-paths': tests(['ROUTE-2'], async (t) => {
    const parts = ['/upsells', '/upsells/products/1', '/customer-portal']
    for (const path of ['/', '/no-such-path', ...parts, '/constructor', '/__proto__']) {
      expectNotFound(t, await t.send({ path }))
      if (t.maySend('POST')) expectNotFound(t, await t.send({ method: 'POST', path, headers: json, body: '{}' }))
    }
  }),
  'routing.rejects-similar-paths': noMatch(
    (path) => `${path}/`,
    (path) => path.toUpperCase(),
    (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()),
    (path) => path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '%2F'),
    (path) => `${path}%20`,
    (path) => `${path};v=1`,
  ),
  'routing.rejects-a-doubled-slash': noMatch(
    (path) => `/${path}`,
    (path) => `${path}//`,
  ),
  'routing.rejects-dots': {
    ...noMatch(
      (path) => `/x/..${path}`,
      (path) => `/.${path}`,
      (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '\\'),
    ),
    requires: ['raw-path'],
  },
  'routing.rejects-malformed-percent-signs': toEach(['ROUTE-9', 'ERROR-5'], withoutError, () =>
    ['%', '%zz', '%E0%A4%A', '/%', '%C3%28', '%00', '%ff'].map((end) => ({ path: (path) => path + end })),
  ),
  'routing.handles-head-like-get': {
    requirements: ['ROUTE-5'],
    run: eachGet(async (t, name) => {
      const path = harmlessTarget(t, name)
      const get = await t.send({ path })
      const head = await t.send({ method: 'HEAD', path })
      t.status(head, get.status)
      t.equal(head.text, '', 'the body of HEAD', head)
      for (const header of ['Content-Type', 'Cache-Control', 'X-Content-Type-Options']) {
        t.equal(head.header(header), get.header(header), header, head)
      }
    }),
  },
  'routing.ignores-method-overrides': {
    ...toEach(['ROUTE-8'], expectNotAllowed, ({ name }) => {
      const isGet = endpoints[name].method === 'GET'
      const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
      const headers = Object.fromEntries(names.map((header) => [header, isGet ? 'DELETE' : 'POST']))
      return [isGet ? { headers, outcome: 'valid' } : { method: 'GET', query: '_method=POST', headers }]
    }),
    // Not `read-only`, because a shop that does not ignore the override would run the action.
    mode: 'write',
  },
})

export const checks: readonly Check[] = [...otherMethods, ...general]

/** Expects 404 `endpoint_not_found`, not 404 `customer_not_found`. */
function expectNotFound(t: CheckContext, reply: Reply): void {
  const isMatch = reply.status === 200 || (reply.status === 404 && errorCodeOf(reply) === 'customer_not_found')
  t.ok(!isMatch, 'the path not to match', reply)
  t.rejected(reply, 'endpoint_not_found')
}

function expectNotAllowed(t: CheckContext, reply: Reply, name: EndpointName): void {
  t.rejected(reply, 'method_not_allowed')
  const allow = (reply.header('Allow') ?? '').split(',').map((one) => one.trim())
  const { method } = endpoints[name]
  t.ok(allow.includes(method), `an Allow header that contains ${method}`, reply)
  const right = method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  const isRight = allow.every((other) => right.includes(other))
  t.ok(isRight, `an Allow header with only ${right.join(', ')}`, reply)
}
