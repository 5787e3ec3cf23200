import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import { type Check, type CheckContext, define, defineEach, onTheWire } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  callHarmless,
  eachGet,
  eachOffered,
  expectThrough,
  harmlessInput,
  harmlessTarget,
  json,
  sendHarmless,
} from '../steps/inputs.ts'

const { must, should } = about('paths and methods')

/** How paths and methods are matched. */
export const requirements: Requirements = {
  'ROUTE-1': must(
    'Each offered endpoint answers at its path with its method.',
    'The base path is another, or the method of the route is.',
  ),
  'ROUTE-2': should(
    'An unknown path below the base path is 404 `endpoint_not_found`.',
    "The framework's own 404 page answers unknown paths.",
  ),
  'ROUTE-3': should(
    'An endpoint that the shop does not offer is 404 `endpoint_not_available`.',
    "The framework's own 404 answers for the endpoint that is left out.",
  ),
  'ROUTE-4': should(
    'A known path with another method is 405 `method_not_allowed` with an `Allow` header that names the right ones.',
    'The framework answers 404 for another method, or leaves out `Allow`.',
  ),
  'ROUTE-5': should(
    'HEAD works where GET does: same status and headers, no body.',
    'Only GET is registered, or the answer to HEAD carries a body.',
  ),
  'ROUTE-6': should(
    'A trailing slash, a doubled slash, dots, encoded letters or another letter case do not match a path.',
    'The router is lenient about slashes, letter case or encoding, so that rules in front of it can be passed by.',
  ),
  'ROUTE-7': should(
    'OPTIONS is 405 like any other method.',
    'A CORS middleware or the framework answers OPTIONS by itself.',
  ),
  'ROUTE-8': should('Headers and queries that override the method are ignored.', 'A method-override middleware is on.'),
  'ROUTE-9': should(
    'A path with a malformed percent sign is 404 `endpoint_not_found` like any other unknown path.',
    'The router decodes the path, and the exception of the decoder is answered by the framework.',
  ),
}

const ofEachEndpoint = defineEach(endpointNames, onTheWire, (name) => ({
  [`${name}.refuses-other-methods`]: {
    title: `${name} answers ${endpoints[name].method} alone: another method is 405 with \`Allow\`.`,
    requirements: ['ROUTE-4', 'ROUTE-7'],
    async run(t) {
      const { method, path } = endpoints[name]
      const others = [method === 'GET' ? 'POST' : 'GET', 'PUT', 'PATCH', 'DELETE']
      for (const other of others) {
        const body = other === 'GET' ? {} : { headers: json, body: JSON.stringify(harmlessInput(t, name)) }
        expectNotAllowed(t, await t.send({ method: other, path, ...body }), name)
      }
      const options = await t.send({ method: 'OPTIONS', path })
      t.refused(options, 'method_not_allowed', 'ROUTE-7')
      expectNotAllowed(t, options, name)
      if (method === 'POST') t.status(await t.send({ method: 'HEAD', path }), 405)
    },
  },
}))

const inGeneral = define(onTheWire, {
  'routing.answers-at-every-path': {
    title: 'Each endpoint answers at its path, or is 404 `endpoint_not_available`.',
    requirements: ['ROUTE-1', 'ROUTE-3'],
    async run(t) {
      for (const name of endpointNames) {
        const reply = await callHarmless(t, name)
        if (t.offered.includes(name)) await expectThrough(t, reply, name)
        else t.refused(reply, 'endpoint_not_available', 'ROUTE-3')
      }
    },
  },
  'routing.refuses-unknown-paths': {
    title: 'An unknown path is 404 `endpoint_not_found` in the error body, whatever the method.',
    requirements: ['ROUTE-2'],
    async run(t) {
      const parts = ['/upsells', '/upsells/products/1', '/customer-portal']
      for (const path of ['/', '/no-such-path', ...parts, '/constructor', '/__proto__']) {
        expectNotFound(t, await t.send({ path }))
        expectNotFound(t, await t.send({ method: 'POST', path, headers: json, body: '{}' }))
      }
    },
  },
  'routing.refuses-a-trailing-slash': {
    title: 'A slash at the end of a path does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch((path) => `${path}/`),
  },
  'routing.refuses-a-doubled-slash': {
    title: 'Two slashes in a row do not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => `/${path}`,
      (path) => `${path}//`,
    ),
  },
  'routing.refuses-another-letter-case': {
    title: 'A path in another letter case does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => path.toUpperCase(),
      (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()),
    ),
  },
  'routing.refuses-encoded-letters': {
    title: 'A percent-encoded letter or slash in a path does not match.',
    requirements: ['ROUTE-6'],
    run: noMatch(
      (path) => path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '%2F'),
      (path) => `${path}%20`,
      (path) => `${path};v=1`,
    ),
  },
  'routing.refuses-dots': {
    title: 'A path with `.` or `..` in it does not match.',
    requirements: ['ROUTE-6'],
    requires: ['raw-path'],
    run: noMatch(
      (path) => `/x/..${path}`,
      (path) => `/.${path}`,
      (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '\\'),
    ),
  },
  'routing.answers-head-like-get': {
    title: 'HEAD has the status and headers of GET and no body.',
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
    title: 'A header or query that asks for another method is ignored.',
    requirements: ['ROUTE-8'],
    async run(t) {
      const headers = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
      const overrides = (method: string) => Object.fromEntries(headers.map((header) => [header, method]))
      for (const name of t.offered) {
        const { method, path } = endpoints[name]
        if (method === 'GET') {
          await expectThrough(t, await callHarmless(t, name, {}, { headers: overrides('DELETE') }), name)
        } else {
          expectNotAllowed(t, await t.send({ path: `${path}?_method=POST`, headers: overrides('POST') }), name)
        }
      }
    },
  },
})

/** How paths and methods are matched. */
export const checks: readonly Check[] = [...ofEachEndpoint, ...inGeneral]

/** The run of a check that no path of an endpoint matches once it is changed. */
function noMatch(...changes: readonly ((path: string) => string)[]): Check['run'] {
  return eachOffered(async (t, name) => {
    for (const change of changes) expectNotFound(t, await sendHarmless(t, name, change))
  })
}

/** The error code tells a path that does not match from a customer who does not exist: both are 404. */
function expectNotFound(t: CheckContext, reply: Reply): void {
  const isMatch = reply.status === 200 || (reply.status === 404 && errorCodeOf(reply) === 'customer_not_found')
  t.that(!isMatch, 'the path not to match', reply)
  t.refused(reply, 'endpoint_not_found')
}

function expectNotAllowed(t: CheckContext, reply: Reply, name: EndpointName): void {
  t.refused(reply, 'method_not_allowed')
  const allow = (reply.header('Allow') ?? '').split(',').map((one) => one.trim())
  const { method } = endpoints[name]
  t.that(allow.includes(method), `an Allow header that names ${method}`, reply)
  const right = method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  const isRight = allow.every((other) => right.includes(other))
  t.that(isRight, `an Allow header of ${right.join(', ')} alone`, reply)
}
