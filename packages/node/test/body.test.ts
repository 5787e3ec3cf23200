import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { respond, toNodeListener } from '../src/index.ts'
import { action, postHead, postAction } from './raw-requests.ts'
import { deferred, echo, integrationOf, key, listening, parsedAnswer, rawClient, seam } from './support.ts'

const asJson = { 'x-integration-api-key': key, 'content-type': 'application/json' }

/** The pipeline over a store that accepts every action, with bodies of at most 100 bytes. */
function limited() {
  const runCustomAction = vi.fn(async () => {})
  const { integration, failures } = integrationOf({ runCustomAction }, { maxBodyBytes: 100 })
  return { listener: toNodeListener(integration), integration, runCustomAction, failures }
}

/** A valid body of exactly the given number of bytes. */
function bodyOf(bytes: number): string {
  const start = '{"email":"a@example.com","action_id":"a","note":"'
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
}

describe('a body that is too large', () => {
  test('the limit counts bytes and is itself allowed', async () => {
    const { listener } = limited()
    const { url } = await listening(listener)
    const post = (body: string) => fetch(`${url}${action}`, { method: 'POST', headers: asJson, body })
    expect((await post(bodyOf(100))).status).toBe(200)
    expect((await post(bodyOf(101))).status).toBe(413)
    expect((await post(bodyOf(99).replace('xx', '€'))).status).toBe(200)
    expect((await post(bodyOf(100).replace('xx', '€'))).status).toBe(413)
  })

  test('a declared length is refused before anything is read', async () => {
    const { listener, runCustomAction } = limited()
    const { port } = await listening(listener)
    const client = rawClient(port, `${postAction}Content-Length: 101\r\n\r\n`)
    const answer = parsedAnswer(await client.until(/\}\}$/))
    expect(answer.status).toBe(413)
    expect(answer.headers.get('connection')).toBe('close')
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, error: { code: 'payload_too_large' } })
    expect(runCustomAction).not.toHaveBeenCalled()
  })

  test.each(['Content-Length: 5000000', 'Transfer-Encoding: chunked'])(
    'a caller that sends it all before it reads gets the answer (%s)',
    async (framing) => {
      const { listener } = limited()
      const { port } = await listening(listener)
      const client = rawClient(port, `${postAction}${framing}\r\n\r\n`)
      client.socket.pause()
      const all = 'x'.repeat(5_000_000)
      const sent = framing.startsWith('C') ? all : `${all.length.toString(16)}\r\n${all}\r\n0\r\n\r\n`
      await new Promise((resolve) => client.socket.write(sent, resolve))
      client.socket.resume()
      const answer = parsedAnswer(await client.ended())
      expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
      expect(answer.body).toContain('payload_too_large')
    },
  )

  test('a caller that neither finishes nor leaves is cut off', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { listener } = limited()
    const { port } = await listening(listener)
    const client = rawClient(port, `${postAction}Transfer-Encoding: chunked\r\n\r\nff\r\n${'x'.repeat(255)}\r\n`)
    const answer = await client.until(/\}\}$/)
    expect(parsedAnswer(answer).status).toBe(413)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(2000)
    expect(await client.ended()).toBe(answer)
    vi.useRealTimers()
  })

  test('a refused call with a long body ahead closes the connection too', async () => {
    const { listener } = limited()
    const { port } = await listening(listener)
    const client = rawClient(port, `POST ${action} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`)
    const answer = parsedAnswer(await client.until(/\}\}$/))
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close'])
    client.socket.write('x'.repeat(1_000_000))
    await client.ended()
  })

  test('a caller that asked to close may finish its body before the connection ends', async () => {
    const { listener } = limited()
    const { port, server } = await listening(listener)
    const connected = once(server, 'connection')
    const client = rawClient(
      port,
      `POST ${action} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 50\r\n\r\n`,
    )
    const [connection] = await connected
    await client.until(/\}\}$/)
    expect(connection.writableEnded).toBe(false)
    client.socket.write('x'.repeat(50))
    expect(parsedAnswer(await client.ended()).status).toBe(401)
  })
})

describe('a body that ends early', () => {
  test('neither hangs nor is answered', async () => {
    const seen = deferred<unknown>()
    const reading = deferred<void>()
    const { port } = await listening(
      toNodeListener(
        seam(async (call) => {
          const text = call.text(100)
          reading.resolve()
          await text.catch(seen.resolve)
          return {}
        }),
      ),
    )
    const client = rawClient(port, `${postAction}Content-Length: 50\r\n\r\n{"email":`)
    await reading.promise
    client.socket.destroy()
    expect(await seen.promise).toMatchObject({ code: 'invalid_request', message: 'body: ended before it was complete' })
  })

  test('also when the caller left before anybody asked for it', async () => {
    const seen = deferred<unknown>()
    const { port } = await listening((req, res) => {
      const { answer } = seam(async (call) => {
        await call.text(100).catch(seen.resolve)
        return {}
      })
      req.once('close', () => respond({ answer }, req, res))
      client.socket.destroy()
    })
    const client = rawClient(port, `${postAction}Content-Length: 50\r\n\r\n{"email":`)
    expect(await seen.promise).toMatchObject({ code: 'invalid_request' })
  })
})

/** What a body parser of a framework does: reads the whole stream and leaves what it made of it. */
function after(parse: (bytes: Buffer) => unknown, listener: ReturnType<typeof toNodeListener>) {
  return listening((req, res) => {
    void buffer(req).then((bytes) => listener(Object.assign(req, { body: parse(bytes) }), res))
  })
}

describe('after a body parser', () => {
  const text = '{"email":"zoë@example.com","__proto__":{"polluted":true},"list":[1,null]}'
  const echoing = toNodeListener(echo())
  const parsers: [name: string, parse: (bytes: Buffer) => unknown][] = [
    ['JSON', (bytes) => JSON.parse(bytes.toString())],
    ['text', (bytes) => bytes.toString()],
    ['raw', (bytes) => bytes],
  ]

  test('JSON that is nested 30,000 deep in a field that nobody asked for', async () => {
    const { url } = await after((bytes) => JSON.parse(bytes.toString()), toNodeListener(echo(100_000)))
    const body = `{"email":"a@example.com","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    const response = await fetch(`${url}/integration`, { method: 'POST', body })
    expect(await response.text()).toBe('{"email":"a@example.com","x":{}}')
  })

  test.each(parsers)('%s', async (_name, parse) => {
    const { url } = await after(parse, echoing)
    const response = await fetch(`${url}/integration`, { method: 'POST', body: text })
    expect(await response.text()).toBe(text)
  })

  test('a view on a larger piece of memory is read within its bounds', async () => {
    const { url } = await after((bytes) => {
      const memory = new Uint8Array(bytes.length + 10).fill(46)
      memory.set(bytes, 5)
      return memory.subarray(5, 5 + bytes.length)
    }, echoing)
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: text })).text()).toBe(text)
  })

  test.each(parsers)('the limit still holds (%s)', async (_name, parse) => {
    const { listener } = limited()
    const { url } = await after(parse, listener)
    const post = (bytes: number) =>
      fetch(`${url}${action}`, {
        method: 'POST',
        headers: asJson,
        body: new Blob([bodyOf(bytes)]).stream(),
        duplex: 'half',
      })
    expect((await post(100)).status).toBe(200)
    expect((await post(101)).status).toBe(413)
  })

  test('white space that the parser dropped counts when it was announced', async () => {
    const { listener } = limited()
    const { url } = await after((bytes) => JSON.parse(bytes.toString()), listener)
    const response = await fetch(`${url}${action}`, {
      method: 'POST',
      headers: asJson,
      body: `${bodyOf(60)}${' '.repeat(50)}`,
    })
    expect(response.status).toBe(413)
    expect(response.headers.get('connection')).not.toBe('close')
  })

  test('form data is no JSON for having been parsed', async () => {
    const { listener } = limited()
    const { url } = await after((bytes) => Object.fromEntries(new URLSearchParams(bytes.toString())), listener)
    const response = await fetch(`${url}${action}`, {
      method: 'POST',
      headers: { 'x-integration-api-key': key },
      body: new URLSearchParams({ email: 'a@example.com', action_id: 'a' }),
    })
    expect(response.status).toBe(415)
  })

  test.each([undefined, null, {}, ''])('that did not read the stream and left %j', async (body) => {
    const { url } = await listening((req, res) => echoing(Object.assign(req, { body }), res))
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: text })).text()).toBe(text)
  })

  test('that hands over a body whose stream never ends', async () => {
    const { port } = await listening((req, res) => echoing(Object.assign(req, { body: { a: 1 } }), res))
    const client = rawClient(port, `${postHead}Content-Length: 50\r\n\r\n`)
    expect(parsedAnswer(await client.until(/\}$/)).body).toBe('{"a":1}')
  })

  test('a parsed empty object is a body', async () => {
    const { url } = await after((bytes) => JSON.parse(bytes.toString()), echoing)
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: ' {} ' })).text()).toBe('{}')
  })

  test('a body that the adapter hands over wins over the stream', async () => {
    const { answer } = echo()
    const { url } = await listening((req, res) => {
      void buffer(req).then(() => respond({ answer }, req, res, { body: { a: 1 } }))
    })
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: text })).json()).toEqual({ a: 1 })
  })

  test('an empty body that was read is empty', async () => {
    const { url } = await after(() => undefined, echoing)
    expect(await (await fetch(`${url}/integration`, { method: 'POST' })).text()).toBe('')
  })

  test.each<[string, (req: IncomingMessage) => Promise<unknown>]>([
    ['wholly', (req) => buffer(req)],
    ['in part', (req) => once(req, 'data')],
  ])('that kept the body to itself, %s, is reported to the merchant', async (_name, read) => {
    const { listener, failures } = limited()
    const { url } = await listening((req, res) => {
      void read(req).then(() => listener(req, res))
    })
    const response = await fetch(`${url}${action}`, {
      method: 'POST',
      headers: asJson,
      body: bodyOf(100),
    })
    expect(response.status).toBe(500)
    expect(failures).toEqual([expect.stringContaining('mount StorePort before whatever reads it')])
  })
})
