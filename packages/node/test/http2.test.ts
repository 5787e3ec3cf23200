import { connect, createServer } from 'node:http2'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { toNodeListener } from '../src/index.ts'
import { deferred } from '@storeport/testing/deferred'
import { listenOn } from '@storeport/testing/listen'
import { seam } from './support.ts'

const paths = { ':method': 'POST', ':path': '/integration/a?b=c' }

async function http2Session(answer: Parameters<typeof seam>[0]) {
  const listener = toNodeListener(seam(answer))
  const server = createServer((req, res) => listener(req, res))
  const url = await listenOn(server)
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  const session = connect(url, { createConnection: () => socket })
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return { session, socket }
}

test('handles a request over HTTP/2', async () => {
  const { session } = await http2Session(async (call) => ({
    headers: { 'X-Request-Id': 'abc' },
    body: JSON.stringify([call.method, call.path, call.query, call.header('x-a'), await call.text(100)]),
  }))
  const stream = session.request({ ...paths, 'x-a': 'd' })
  stream.end('{"name":"Zoë"}')
  const [headers] = await once(stream, 'response')
  expect(headers).toMatchObject({ ':status': 200, 'x-request-id': 'abc', 'content-length': '57' })
  expect(headers).not.toHaveProperty('connection')
  expect(JSON.parse(await text(stream))).toEqual(['POST', '/integration/a', 'b=c', 'd', '{"name":"Zoë"}'])
})

test('ends the stream, not the session, if a body is too large', async () => {
  const { session } = await http2Session((call) =>
    call.text(100).then(
      () => ({}),
      () => ({ status: 413 }),
    ),
  )
  const stream = session.request(paths)
  stream.write('x'.repeat(101))
  expect((await once(stream, 'response'))[0][':status']).toBe(413)
  expect(String(await once(stream, 'data'))).toBe('{}')
  await once(stream, 'close')
  expect(stream.rstCode).toBe(0)
  const next = session.request(paths)
  next.end('x')
  expect((await once(next, 'response'))[0][':status']).toBe(200)
  next.resume()
})

test('calls the onAbort listener if the caller disconnects over HTTP/2', async () => {
  const [begun, gone, ended] = [deferred<void>(), deferred<void>(), deferred<unknown>()]
  const { session, socket } = await http2Session(async (call) => {
    call.onAbort?.(gone.resolve)
    const reading = call.text(100)
    begun.resolve()
    await reading.catch(ended.resolve)
  })
  const stream = session.request(paths)
  for (const each of [stream, session]) each.on('error', () => {})
  stream.write('x')
  await begun.promise
  socket.destroy()
  await gone.promise
  expect(await ended.promise).toMatchObject({ code: 'invalid_request' })
})
