import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { respond, toNodeListener } from '../src/index.ts'
import {
  action,
  chunked,
  echo,
  key,
  lastAnswerIn,
  listening,
  openShop,
  postAction,
  postHead,
  rawClient,
  useFakeTimers,
} from './support.ts'

/** Creates a listener that accepts every action, with a body limit of 100 bytes. */
function limited() {
  const { integration, failures } = openShop({}, { maxBodyBytes: 100 })
  return { listener: toNodeListener(integration), failures }
}

/** Returns a valid action of exactly the given number of bytes. */
function post(url: string, bytes: number): Promise<Response> {
  const start = '{"email":"a@example.com","action_id":"a","note":"'
  const body = new Blob([`${start}${'x'.repeat(bytes - start.length - 2)}"}`]).stream()
  const headers = { 'x-integration-api-key': key, 'content-type': 'application/json' }
  return fetch(`${url}${action}`, { method: 'POST', headers, body, duplex: 'half' })
}

describe('a body that is too large', () => {
  test.each([
    ['Content-Length: 5000000\r\n\r\n', 'x'.repeat(5_000_000)],
    ['', chunked('x'.repeat(5_000_000))],
  ])('causes a 413 response even if the caller sends the whole body before it reads', async (headers, body) => {
    const { port } = await listening(limited().listener)
    const client = rawClient(port)
    client.socket.pause()
    await new Promise((resolve) => client.socket.write(postAction + headers + body, resolve))
    client.socket.resume()
    const answer = await client.answer()
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
    expect(answer.body).toContain('payload_too_large')
  })

  test('causes the connection to end if the caller neither finishes sending nor disconnects', async () => {
    useFakeTimers()
    const { port } = await listening(limited().listener)
    const client = rawClient(port, postAction + chunked('x'.repeat(255), ''))
    const answer = await client.until(/\}\}$/)
    expect([lastAnswerIn(answer).status, vi.getTimerCount()]).toEqual([413, 1])
    vi.advanceTimersByTime(2000)
    expect(await client.ended()).toBe(answer)
  })
})

test('restores a character that is split between chunks', async () => {
  const { port } = await listening(toNodeListener(echo()))
  const client = rawClient(port, `${postHead}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`)
  for (const piece of ['1\r\n\xe2\r\n', '2\r\n\x82\xac\r\n', '0\r\n\r\n']) client.socket.write(piece, 'latin1')
  expect(Buffer.from((await client.answer()).body, 'latin1').toString()).toBe('€')
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
  const send = async (url: string, body = text) => (await fetch(`${url}/integration`, { method: 'POST', body })).text()
  const parseJson = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
  const viewOf = (bytes: Buffer) => {
    const memory = new Uint8Array(bytes.length + 10).fill(46)
    memory.set(bytes, 5)
    return memory.subarray(5, 5 + bytes.length)
  }
  const deep = `{"a":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`

  test.each<[parsed: string, parse: (bytes: Buffer) => unknown, sent: string, read: string]>([
    ['JSON', parseJson, text, text],
    ['a string', String, text, text],
    ['a view of a larger buffer', viewOf, text, text],
    ['an empty object', parseJson, ' {} ', '{}'],
    ['undefined, because it is empty', () => undefined, '', ''],
    ['JSON with 30,000 nested levels', parseJson, deep, '{"a":1,"x":{}}'],
  ])('reads a body parsed as %s', async (_parsed, parse, sent, read) => {
    expect(await send((await after(parse, echoing)).url, sent)).toBe(read)
  })

  test.each([parseJson, String, viewOf])('applies the size limit to a parsed body (%s)', async (parse) => {
    const { url } = await after(parse, limited().listener)
    expect([(await post(url, 100)).status, (await post(url, 101)).status]).toEqual([200, 413])
  })

  test.each([undefined, null, {}, ''])('reads the request stream if it is unread and req.body is %j', async (body) => {
    const { url } = await listening((req, res) => echoing(Object.assign(req, { body }), res))
    expect(await send(url)).toBe(text)
  })

  test('prefers the `body` option over the stream', async () => {
    const { url } = await listening((req, res) => {
      void buffer(req).then(() => respond(echo(), req, res, { body: { a: 1 } }))
    })
    expect(await send(url)).toBe('{"a":1}')
  })

  test('reports middleware that has read a part of the body', async () => {
    const { listener, failures } = limited()
    const { url } = await listening((req, res) => void once(req, 'data').then(() => listener(req, res)))
    expect((await post(url, 100)).status).toBe(500)
    expect(failures).toEqual([expect.stringContaining('Mount StorePort before the middleware that reads it')])
  })
})
