import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { toNodeListener } from '../src/index.ts'
import { deferred } from '@storeport/testing/deferred'
import { seam } from './support.ts'

async function http2Session(listener: ReturnType<typeof toNodeListener>) {
  const server = createServer((req, res) => listener(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const socket = connectSocket(address.port, '127.0.0.1')
  const session = connect(`http://127.0.0.1:${address.port}`, { createConnection: () => socket })
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return { session, socket }
}

test('handles a request over HTTP/2', async () => {
  const { session } = await http2Session(
    toNodeListener(
      seam(async (call) => ({
        headers: { 'X-Request-Id': 'abc' },
        body: JSON.stringify([call.method, call.path, call.query, call.header('x-a'), await call.text(100)]),
      })),
    ),
  )
  const stream = session.request({ ':method': 'POST', ':path': '/integration/a?b=c', 'x-a': 'd' })
  stream.end('{"name":"Zoë"}')
  const [headers] = await once(stream, 'response')
  expect(headers).toMatchObject({ ':status': 200, 'x-request-id': 'abc', 'content-length': '57' })
  expect(headers).not.toHaveProperty('connection')
  expect(JSON.parse(await text(stream))).toEqual(['POST', '/integration/a', 'b=c', 'd', '{"name":"Zoë"}'])
})

test('ends the stream, not the session, if a body is too large', async () => {
  const { session } = await http2Session(
    toNodeListener(
      seam(async (call) => {
        const status = await call.text(100).then(
          () => 200,
          () => 413,
        )
        return { status: status }
      }),
    ),
  )
  const stream = session.request({ ':method': 'POST', ':path': '/integration' })
  stream.write('x'.repeat(101))
  const [headers] = await once(stream, 'response')
  expect(headers[':status']).toBe(413)
  expect(String(await once(stream, 'data'))).toBe('{}')
  await once(stream, 'close')
  expect(stream.rstCode).toBe(0)
  const next = session.request({ ':method': 'POST', ':path': '/integration' })
  next.end('x')
  const [nextHeaders] = await once(next, 'response')
  expect(nextHeaders[':status']).toBe(200)
  next.resume()
})

test('calls the onAbort listener if the caller disconnects over HTTP/2', async () => {
  const begun = deferred<void>()
  const gone = deferred<void>()
  const ended = deferred<unknown>()
  const { session, socket } = await http2Session(
    toNodeListener(
      seam(async (call) => {
        call.onAbort?.(gone.resolve)
        const reading = call.text(100)
        begun.resolve()
        await reading.catch(ended.resolve)
        return {}
      }),
    ),
  )
  const stream = session.request({ ':method': 'POST', ':path': '/integration' })
  stream.on('error', () => {})
  session.on('error', () => {})
  stream.write('x')
  await begun.promise
  socket.destroy()
  await gone.promise
  expect(await ended.promise).toMatchObject({ code: 'invalid_request' })
})
