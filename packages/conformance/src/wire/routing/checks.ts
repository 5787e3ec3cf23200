import { type EndpointName, endpointNames, endpoints } from '@storeport/core'
import type { CheckContext } from '../../engine/check-context.ts'
import type { Check } from '../../engine/check.ts'
import { errorCodeOf } from '../../engine/expectations.ts'
import type { Reply } from '../../http/reply.ts'
import { expectThrough, harmlessInput, harmlessTarget, offeredGets } from '../../steps/harmless.ts'

const json = { 'Content-Type': 'application/json' }

const ofEachEndpoint: readonly Check[] = endpointNames.map((name) => ({
  id: `${name}.refuses-other-methods`,
  title: `${name} answers ${endpoints[name].method} alone: another method is 405 with \`Allow\`.`,
  requirements: ['ROUTE-4', 'ROUTE-7'],
  mode: 'read-only',
  layer: 'wire',
  needs: [name],
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
}))

/** How paths and methods are matched. */
export const checks: readonly Check[] = [
  ...ofEachEndpoint,
  {
    id: 'routing.answers-at-every-path',
    title: 'Each endpoint answers at its path, or is 404 `endpoint_not_available`.',
    requirements: ['ROUTE-1', 'ROUTE-3'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of endpointNames) {
        const reply = await t.call(name, harmlessInput(t, name))
        if (t.offered.includes(name)) await expectThrough(t, reply, name)
        else t.refused(reply, 'endpoint_not_available', 'ROUTE-3')
      }
    },
  },
  {
    id: 'routing.refuses-unknown-paths',
    title: 'An unknown path is 404 `endpoint_not_found` in the error body, whatever the method.',
    requirements: ['ROUTE-2'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      const paths = [
        '/',
        '/no-such-path',
        '/upsells',
        '/upsells/products/1',
        '/customer-portal',
        '/constructor',
        '/__proto__',
      ]
      for (const path of paths) {
        expectNotFound(t, await t.send({ path }))
        expectNotFound(t, await t.send({ method: 'POST', path, headers: json, body: '{}' }))
      }
    },
  },
  {
    id: 'routing.refuses-a-trailing-slash',
    title: 'A slash at the end of a path does not match.',
    requirements: ['ROUTE-6'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of t.offered) await expectNoMatch(t, name, (path) => `${path}/`)
    },
  },
  {
    id: 'routing.refuses-a-doubled-slash',
    title: 'Two slashes in a row do not match.',
    requirements: ['ROUTE-6'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of t.offered) {
        await expectNoMatch(t, name, (path) => `/${path}`)
        await expectNoMatch(t, name, (path) => `${path}//`)
      }
    },
  },
  {
    id: 'routing.refuses-another-letter-case',
    title: 'A path in another letter case does not match.',
    requirements: ['ROUTE-6'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of t.offered) {
        await expectNoMatch(t, name, (path) => path.toUpperCase())
        await expectNoMatch(t, name, (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()))
      }
    },
  },
  {
    id: 'routing.refuses-encoded-letters',
    title: 'A percent-encoded letter or slash in a path does not match.',
    requirements: ['ROUTE-6'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of t.offered) {
        await expectNoMatch(t, name, (path) =>
          path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        )
        await expectNoMatch(t, name, (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '%2F'))
        await expectNoMatch(t, name, (path) => `${path}%20`)
        await expectNoMatch(t, name, (path) => `${path};v=1`)
      }
    },
  },
  {
    id: 'routing.refuses-dots',
    title: 'A path with `.` or `..` in it does not match.',
    requirements: ['ROUTE-6'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    requires: ['raw-path'],
    async run(t) {
      for (const name of t.offered) {
        await expectNoMatch(t, name, (path) => `/x/..${path}`)
        await expectNoMatch(t, name, (path) => `/.${path}`)
        await expectNoMatch(t, name, (path) => path.replace(/(?<=.)\/(?=[^/]*$)|$/, '\\'))
      }
    },
  },
  {
    id: 'routing.answers-head-like-get',
    title: 'HEAD has the status and headers of GET and no body.',
    requirements: ['ROUTE-5'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      for (const name of offeredGets(t)) {
        const path = harmlessTarget(t, name)
        const get = await t.send({ path })
        const head = await t.send({ method: 'HEAD', path })
        t.status(head, get.status)
        t.equal(head.text, '', 'the body of HEAD', head)
        for (const header of ['Content-Type', 'Cache-Control', 'X-Content-Type-Options']) {
          t.equal(head.header(header), get.header(header), header, head)
        }
      }
    },
  },
  {
    id: 'routing.ignores-method-overrides',
    title: 'A header or query that asks for another method is ignored.',
    requirements: ['ROUTE-8'],
    mode: 'read-only',
    layer: 'wire',
    needs: [],
    async run(t) {
      const overrides = (method: string) => ({
        'X-HTTP-Method-Override': method,
        'X-HTTP-Method': method,
        'X-Method-Override': method,
      })
      for (const name of t.offered) {
        const { method, path } = endpoints[name]
        if (method === 'GET') {
          await expectThrough(t, await t.call(name, harmlessInput(t, name), { headers: overrides('DELETE') }), name)
        } else {
          expectNotAllowed(t, await t.send({ path: `${path}?_method=POST`, headers: overrides('POST') }), name)
        }
      }
    },
  },
]

async function expectNoMatch(t: CheckContext, name: EndpointName, change: (path: string) => string): Promise<void> {
  const { method, path } = endpoints[name]
  if (method === 'POST') {
    const body = JSON.stringify(harmlessInput(t, name))
    return expectNotFound(t, await t.send({ method, path: change(path), headers: json, body }))
  }
  const query = harmlessTarget(t, name).slice(path.length)
  expectNotFound(t, await t.send({ path: change(path) + query }))
}

/** The error code tells a path that does not match from a customer who does not exist: both are 404. */
function expectNotFound(t: CheckContext, reply: Reply): void {
  const isMatch = reply.status === 200 || (reply.status === 404 && errorCodeOf(reply) === 'customer_not_found')
  t.that(!isMatch, 'the path not to match', reply)
  t.refused(reply, 'endpoint_not_found')
}

function expectNotAllowed(t: CheckContext, reply: Reply, name: EndpointName): void {
  t.refused(reply, 'method_not_allowed')
  const allow = reply
    .header('Allow')
    ?.split(',')
    .map((method) => method.trim())
  const { method } = endpoints[name]
  t.that(allow?.includes(method) === true, `an Allow header that names ${method}`, reply)
  const right = method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  t.that(allow?.every((other) => right.includes(other)) === true, `an Allow header of ${right.join(', ')} alone`, reply)
}
