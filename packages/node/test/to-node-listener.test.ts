import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { toNodeListener } from '../src/index.ts'
import {
  integrationOf,
  key,
  keyLine,
  listening,
  noStrayErrors,
  parsedAnswer,
  portal,
  rawClient,
  seam,
  subscription,
} from './support.ts'

const withKey = { 'x-integration-api-key': key }

describe('toNodeListener with the whole API', () => {
  test('sends the Content-Length in bytes, even in a response to HEAD', async () => {
    const { integration } = integrationOf({ getSubscription: async () => subscription })
    const { port } = await listening(toNodeListener(integration))
    const head = `${portal} HTTP/1.1\r\nHost: a\r\n${keyLine}Connection: close\r\n\r\n`
    const viaGet = await rawClient(port, `GET ${head}`).answer()
    const viaHead = await rawClient(port, `HEAD ${head}`).answer()
    const length = Buffer.byteLength(JSON.stringify({ success: true, data: subscription }))
    expect([viaGet.body.length, viaGet.headers.get('content-length')]).toEqual([length, String(length)])
    expect([viaHead.body, viaHead.headers.get('content-length')]).toEqual(['', String(length)])
  })

  test('returns errors in the envelope and reuses the connection', async () => {
    const { integration } = integrationOf({})
    const { server, port } = await listening(toNodeListener(integration))
    const connections = vi.fn()
    server.on('connection', connections)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const post = async (path: string, headers: Record<string, string>) => {
      const sent = request({ port, path, method: 'POST', headers, agent }).end('{"email":"a@example.com"}')
      const [response] = await once(sent, 'response')
      return { status: response.statusCode, body: await text(response) }
    }
    const unauthorized = await post('/integration/custom-action', {})
    expect(unauthorized.status).toBe(401)
    expect(JSON.parse(unauthorized.body)).toMatchObject({ success: false, error: { code: 'unauthorized' } })
    expect(await post('/integration/nothing', withKey)).toMatchObject({ status: 404 })
    expect(await post('/somewhere/else', withKey)).toMatchObject({ status: 404 })
    expect(connections).toHaveBeenCalledTimes(1)
    agent.destroy()
  })
})

describe('the Call for a request', () => {
  test('contains headers under their lowercase names, with repeated headers joined', async () => {
    const { port } = await listening(
      toNodeListener(
        seam(async (call) => ({
          body: JSON.stringify(['x-one', 'set-cookie', 'accept', 'missing', 'constructor'].map(call.header)),
        })),
      ),
    )
    const raw = await rawClient(
      port,
      'GET /integration HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nx-oNe: 2\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nAccept: x\r\nConnection: close\r\n\r\n',
    ).ended()
    expect(JSON.parse(parsedAnswer(raw).body)).toEqual(['1, 2', 'a=b, c=d', 'x', null, null])
  })

  test('contains the client address', async () => {
    const { url } = await listening(toNodeListener(seam(async (call) => ({ body: `"${call.clientAddress}"` }))))
    expect(await (await fetch(url)).json()).toBe('127.0.0.1')
  })
})

describe('toNodeListener inside a framework', () => {
  test('passes only paths outside the integration to next', async () => {
    const listener = toNodeListener(seam(async () => ({ body: '"ours"' })))
    const { url } = await listening((req, res) => listener(req, res, () => res.end('"theirs"')))
    expect(await (await fetch(`${url}/integration/a`)).json()).toBe('ours')
    expect(await (await fetch(`${url}/else?/integration/a`)).json()).toBe('theirs')
  })

  test('passes an error to next if the response cannot be written, or returns 500 without next', async () => {
    const broken = toNodeListener({
      owns: () => true,
      answer: async () => ({ status: 200, headers: { 'X-Broken': 'a\nb' }, body: '{}' }),
    })
    const inFramework = await listening((req, res) => broken(req, res, (error) => res.end(JSON.stringify(`${error}`))))
    expect(await (await fetch(inFramework.url)).text()).toContain('Invalid character in header')
    const alone = await listening(broken)
    const response = await fetch(alone.url)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } })
  })

  test('writes nothing if a response has already started', async () => {
    const stray = noStrayErrors()
    const listener = toNodeListener(seam(async () => ({})))
    const { url } = await listening((req, res) => {
      res.writeHead(503)
      res.write('bu')
      listener(req, res)
      setImmediate(() => res.end('sy'))
    })
    const response = await fetch(`${url}/integration`)
    expect([response.status, await response.text()]).toEqual([503, 'busy'])
    expect(stray).toEqual([])
  })
})
