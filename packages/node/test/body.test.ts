import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { respond, toNodeListener } from '../src/index.ts'
import {
  action,
  echo,
  integrationOf,
  key,
  listening,
  parsedAnswer,
  postAction,
  postHead,
  rawClient,
  useFakeTimers,
} from './support.ts'

const asJson = { 'x-integration-api-key': key, 'content-type': 'application/json' }

/** Creates an integration that accepts every action, with a body limit of 100 bytes. */
function limited() {
  const runCustomAction = vi.fn(async () => {})
  const { integration, failures } = integrationOf({ runCustomAction }, { maxBodyBytes: 100 })
  return { listener: toNodeListener(integration), integration, runCustomAction, failures }
}

/** Returns a valid body of exactly the given number of bytes. */
function bodyOf(bytes: number): string {
  const start = '{"email":"a@example.com","action_id":"a","note":"'
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
}

describe('a body that is too large', () => {
  test.each(['Content-Length: 5000000', 'Transfer-Encoding: chunked'])(
    'causes a 413 response even if the caller sends the whole body before it reads (%s)',
    async (framing) => {
      const { listener } = limited()
      const { port } = await listening(listener)
      const client = rawClient(port, `${postAction}${framing}\r\n\r\n`)
      client.socket.pause()
      const all = 'x'.repeat(5_000_000)
      const sent = framing.startsWith('C') ? all : `${all.length.toString(16)}\r\n${all}\r\n0\r\n\r\n`
      await new Promise((resolve) => client.socket.write(sent, resolve))
      client.socket.resume()
      const answer = await client.answer()
      expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
      expect(answer.body).toContain('payload_too_large')
    },
  )

  test('causes the connection to end if the caller neither finishes sending nor disconnects', async () => {
    useFakeTimers()
    const { listener } = limited()
    const { port } = await listening(listener)
    const client = rawClient(port, `${postAction}Transfer-Encoding: chunked\r\n\r\nff\r\n${'x'.repeat(255)}\r\n`)
    const answer = await client.until(/\}\}$/)
    expect(parsedAnswer(answer).status).toBe(413)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(2000)
    expect(await client.ended()).toBe(answer)
  })
})

test('restores a character that is split between chunks', async () => {
  const { port } = await listening(toNodeListener(echo()))
  const body = Buffer.from('{"name":"Zoë €"}')
  const cut = body.indexOf(Buffer.from('€')) + 1
  const client = rawClient(port, `${postHead}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`)
  for (const piece of [body.subarray(0, cut), body.subarray(cut)]) {
    client.socket.write(`${piece.length.toString(16)}\r\n`)
    client.socket.write(piece)
    client.socket.write('\r\n')
  }
  client.socket.write('0\r\n\r\n')
  expect(Buffer.from((await client.answer()).body, 'latin1').toString()).toBe(body.toString())
})

/** Serves a listener after a body parser, which reads the whole stream and sets `req.body`. */
function after(parse: (bytes: Buffer) => unknown, listener: ReturnType<typeof toNodeListener>) {
  return listening((req, res) => {
    void buffer(req).then((bytes) => listener(Object.assign(req, { body: parse(bytes) }), res))
  })
}

describe('after a body parser', () => {
  const text = '{"email":"zoë@example.com","__proto__":{"polluted":true},"list":[1,null]}'
  const echoing = toNodeListener(echo(100_000))
  const parseJson = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
  const viewOf = (bytes: Buffer) => {
    const memory = new Uint8Array(bytes.length + 10).fill(46)
    memory.set(bytes, 5)
    return memory.subarray(5, 5 + bytes.length)
  }

  test.each<[parsed: string, parse: (bytes: Buffer) => unknown, sent: string, read: string]>([
    ['JSON', parseJson, text, text],
    ['a string', String, text, text],
    ['bytes', (bytes) => bytes, text, text],
    ['a view of a larger buffer', viewOf, text, text],
    ['an empty object', parseJson, ' {} ', '{}'],
    ['undefined, because it is empty', () => undefined, '', ''],
    [
      'JSON with 30,000 nested levels',
      parseJson,
      `{"a":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      '{"a":1,"x":{}}',
    ],
  ])('reads a body parsed as %s', async (_parsed, parse, sent, read) => {
    const { url } = await after(parse, echoing)
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: sent })).text()).toBe(read)
  })

  test.each([
    ['JSON', parseJson],
    ['a string', String],
    ['bytes', (bytes: Buffer) => bytes],
  ])('applies the size limit to a body parsed as %s', async (_name, parse) => {
    const { listener } = limited()
    const { url } = await after(parse, listener)
    const body = (bytes: number) => new Blob([bodyOf(bytes)]).stream()
    const post = (bytes: number) =>
      fetch(`${url}${action}`, { method: 'POST', headers: asJson, body: body(bytes), duplex: 'half' })
    expect((await post(100)).status).toBe(200)
    expect((await post(101)).status).toBe(413)
  })

  test.each([undefined, null, {}, ''])('reads the request stream if it is unread and req.body is %j', async (body) => {
    const { url } = await listening((req, res) => echoing(Object.assign(req, { body }), res))
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: text })).text()).toBe(text)
  })

  test('prefers the `body` option over the stream', async () => {
    const { answer } = echo()
    const { url } = await listening((req, res) => {
      void buffer(req).then(() => respond({ answer }, req, res, { body: { a: 1 } }))
    })
    expect(await (await fetch(`${url}/integration`, { method: 'POST', body: text })).json()).toEqual({ a: 1 })
  })

  test('reports middleware that has read a part of the body', async () => {
    const { listener, failures } = limited()
    const { url } = await listening((req, res) => {
      void once(req, 'data').then(() => listener(req, res))
    })
    const response = await fetch(`${url}${action}`, { method: 'POST', headers: asJson, body: bodyOf(100) })
    expect(response.status).toBe(500)
    expect(failures).toEqual([expect.stringContaining('Mount StorePort before the middleware that reads it')])
  })
})
