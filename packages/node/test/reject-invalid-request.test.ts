import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { rejectInvalidRequest } from '../src/index.ts'
import { get, postHead, statusesIn } from './raw-requests.ts'
import { deferred, echo, noStrayErrors, parsedAnswer, rawClient, seam, serving, startFor } from './support.ts'

const quick = seam(async () => ({ body: '"answered"' }))
const chunked = `${postHead}Transfer-Encoding: chunked\r\n\r\n`

test('returns 413 for chunk extensions that are too long', async () => {
  const client = rawClient((await serving(echo())).port, `${chunked}1;${'x'.repeat(20_000)}`)
  const answer = parsedAnswer(await client.ended())
  expect(answer.status).toBe(413)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'payload_too_large' } })
})

test('sends one rejection if the body becomes invalid while the integration reads it', async () => {
  const stray = noStrayErrors()
  const seen = deferred<unknown>()
  const waitsForBody = seam(async (call) => {
    await call.text(100).catch(seen.resolve)
    return {}
  })
  const client = rawClient((await serving(waitsForBody)).port, `${chunked}1\r\nx\r\nnonsense\r\n`)
  const received = await client.ended()
  expect(parsedAnswer(received).status).toBe(400)
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
  client.socket.destroy()
  expect(await seen.promise).toMatchObject({ code: 'invalid_request' })
  expect(stray).toEqual([])
})

test('sends no second response to a rejected request whose body becomes invalid', async () => {
  const rejectsBody = seam((call) =>
    call.text(100).then(
      () => ({}),
      () => ({ status: 413 }),
    ),
  )
  const { port } = await serving(rejectsBody)
  const client = rawClient(port, `${chunked}ff\r\n${'x'.repeat(255)}\r\n`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await client.until(/413/)
  client.socket.write('nonsense\r\n')
  await vi.waitUntil(() => vi.getTimerCount() >= 2, 30_000)
  vi.advanceTimersByTime(2000)
  vi.useRealTimers()
  expect((await client.ended()).match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('responds to earlier requests before it rejects an invalid request', async () => {
  const go = deferred<void>()
  const begun = deferred<void>()
  let calls = 0
  const slow = seam(async () => {
    calls += 1
    if (calls === 2) begun.resolve()
    await go.promise
    return { body: `"response ${calls}"` }
  })
  const client = rawClient((await serving(slow)).port, `${get()}${get()}nonsense\r\n\r\n`)
  await begun.promise
  client.socket.write('more nonsense')
  go.resolve()
  const received = await client.ended()
  expect(statusesIn(received)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('delivers the response even if the caller sends all its bytes before it reads', async () => {
  const { port } = await serving(quick)
  const client = rawClient(port)
  client.socket.pause()
  await new Promise((resolve) => client.socket.write(`nonsense\r\n\r\n${'x'.repeat(20_000_000)}`, resolve))
  client.socket.resume()
  expect(parsedAnswer(await client.ended()).status).toBe(400)
})

test('leaves no timer running after the caller has disconnected', async () => {
  const { port, server } = await serving(seam(() => new Promise(() => {})))
  const connected = once(server, 'connection')
  const rejected = once(server, 'clientError')
  const client = rawClient(port, `${get()}nonsense\r\n\r\n`)
  const [connection] = await connected
  await rejected
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closed = new Promise((resolve) => connection.once('close', resolve))
  client.socket.resetAndDestroy()
  await closed
  await new Promise(setImmediate)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('uses a single timer to disconnect a caller that continues to send invalid bytes', async () => {
  const { port, server } = await serving(quick)
  const client = rawClient(port)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // Prevents the client from ending its side when the server ends the connection.
  client.socket.allowHalfOpen = true
  client.socket.write('nonsense\r\n\r\n')
  await client.until(/\}\}$/)
  const again = once(server, 'clientError')
  client.socket.write('more')
  await again
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2000)
  vi.useRealTimers()
  await once(client.socket.end(), 'close')
})

test.each([
  ['nothing', ''],
  ['half the headers', 'GET / HTTP/1.1\r\nHos'],
  ['half the body', `${postHead}Content-Length: 5\r\n\r\nab`],
])('returns 408 if the caller sends %s and then waits', async (_name, bytes) => {
  const { port } = await serving(echo(), { headersTimeoutMs: 50, requestTimeoutMs: 60 })
  const answer = parsedAnswer(await rawClient(port, bytes).ended())
  expect(answer.status).toBe(408)
  expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'request_timeout' } })
})

test("rejects an invalid request on a merchant's own server", async () => {
  const server = createServer((_req, res) => res.end())
  server.on('clientError', rejectInvalidRequest)
  const client = rawClient(await startFor(server), 'nonsense\r\n\r\n')
  expect(parsedAnswer(await client.ended()).status).toBe(400)
})
