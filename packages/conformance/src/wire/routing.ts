import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  eachGet,
  eachOffered,
  expectValid,
  harmlessInput,
  harmlessTarget,
  json,
  sendHarmless,
} from '../shop/inputs.ts'

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
  'ROUTE-5': should(
    'HEAD returns the same status and headers as GET, without a body.',
    'Only GET is registered, or the response to HEAD has a body.',
  ),
  'ROUTE-6': should(
    'Paths match exactly. A path with a trailing slash, a double slash, dot segments, encoded letters or different letter case does not match.',
    'The router is lenient about slashes, letter case or encoding, so access rules in front of it can be bypassed.',
  ),
  'ROUTE-7': should(
    'An OPTIONS request returns 405, like any other method that is not allowed.',
    'CORS middleware or the framework handles OPTIONS.',
  ),
  'ROUTE-8': should(
    'Headers and query parameters that override the method are ignored.',
    'Method-override middleware is enabled.',
  ),
  'ROUTE-9': should(
    'A request to a path with invalid percent-encoding returns 404 `endpoint_not_found`, like a request to any other unknown path.',
    'The router decodes the path, and the framework handles the exception. Return 404 `endpoint_not_found` for it.',
  ),
}

const endpointChecks = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.rejects-other-methods`]: {
    title: `${name} accepts only ${endpoints[name].method}. Requests with other methods return 405 with an \`Allow\` header.`,
    requirements: ['ROUTE-4', 'ROUTE-7'],
    async run(t) {
      const { method, path } = endpoints[name]
      const others = [method === 'GET' ? 'POST' : 'GET', 'PUT', 'PATCH', 'DELETE'].filter(t.maySend)
      for (const other of others) {
        const body = other === 'GET' ? {} : { headers: json, body: JSON.stringify(harmlessInput(t, name)) }
        expectNotAllowed(t, await t.send({ method: other, path, ...body }), name)
      }
      const options = await t.send({ method: 'OPTIONS', path })
      t.rejected(options, 'method_not_allowed', 'ROUTE-7')
      expectNotAllowed(t, options, name)
      if (method === 'POST') t.status(await t.send({ method: 'HEAD', path }), 405)
    },
  },
}))

const generalChecks = define(onTheWire, {
  'routing.serves-every-path': {
    title: 'Each endpoint responds at its path, or returns 404 `endpoint_not_available`.',
    requirements: ['ROUTE-1', 'ROUTE-3'],
    async run(t) {
      for (const name of endpointNames.filter((each) => t.maySend(endpoints[each].method))) {
        const reply = await callHarmless(t, name)
        if (t.offered.includes(name)) await expectValid(t, reply, name)
        else t.rejected(reply, 'endpoint_not_available', 'ROUTE-3')
      }
    },
  },
  'routing.rejects-unknown-paths': {
    title: 'A request to an unknown path returns 404 `endpoint_not_found` with the error body, for any method.',
    requirements: ['ROUTE-2'],
    async run(t) {
      const parts = ['/upsells', '/upsells/products/1', '/customer-portal']
      for (const path of ['/', '/no-such-path', ...parts, '/constructor', '/__proto__']) {
        expectNotFound(t, await t.send({ path }))
        if (t.maySend('POST')) expectNotFound(t, await t.send({ method: 'POST', path, headers: json, body: '{}' }))
      }
    },
  },
  'routing.rejects-a-trailing-slash': {
    title: 'A path with a trailing slash does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch((path) => `${path}/`),
  },
  'routing.rejects-a-doubled-slash': {
    title: 'A path with two consecutive slashes does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => `/${path}`,
      (path) => `${path}//`,
    ),
  },
  'routing.rejects-another-letter-case': {
    title: 'A path that differs only in case does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => path.toUpperCase(),
      (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()),
    ),
  },
  'routing.rejects-encoded-letters': {
    title: 'A path with a percent-encoded letter or slash does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '%2F'),
      (path) => `${path}%20`,
      (path) => `${path};v=1`,
    ),
  },
  'routing.rejects-dots': {
    title: 'A path with `.` or `..` segments does not match.',
    requirements: ['ROUTE-6'],
    requires: ['raw-path'],
    run: noMatch(
      (path) => `/x/..${path}`,
      (path) => `/.${path}`,
      (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '\\'),
    ),
  },
  'routing.handles-head-like-get': {
    title: 'HEAD returns the status and headers of GET, without a body.',
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
    title: 'A header or query parameter that overrides the method is ignored.',
    requirements: ['ROUTE-8'],
    // Not `read-only`, because a shop that does not ignore the override would run the action.
    mode: 'write',
    async run(t) {
      const headers = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
      const overrides = (method: string) => Object.fromEntries(headers.map((header) => [header, method]))
      for (const name of t.offered) {
        const { method, path } = endpoints[name]
        if (method === 'GET') {
          await expectValid(t, await callHarmless(t, name, {}, { headers: overrides('DELETE') }), name)
        } else {
          expectNotAllowed(t, await t.send({ path: `${path}?_method=POST`, headers: overrides('POST') }), name)
        }
      }
    },
  },
})

export const checks: readonly Check[] = [...endpointChecks, ...generalChecks]

/** Returns a check function that expects 404 for each changed endpoint path. */
function noMatch(...changes: readonly ((path: string) => string)[]): Check['run'] {
  return eachOffered(async (t, name) => {
    for (const change of changes) expectNotFound(t, await sendHarmless(t, name, change))
  })
}

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
