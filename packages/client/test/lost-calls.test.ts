import { getEventListeners } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { inputs } from '@storeport/testing/samples'
import { apiKey, startAnswering, startServer, success } from './start-server.ts'

test('the real clock ends a call too, by the global fetch', async () => {
  const { baseUrl } = await startServer(() => {})
  const client = createClient({ baseUrl, apiKey, timeoutMs: 30 })
  await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'store_timeout' })
})

describe('aborts', () => {
  test('a signal that has fired sends nothing', async () => {
    const { baseUrl, seen } = await startAnswering(success())
    const reason = new Error('Gone.')
    const call = createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(seen).toEqual([])
  })

  test('a signal that fires ends the request, and the call rejects with its reason', async () => {
    const leaving = new AbortController()
    const reason = new Error('Gone.')
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      leaving.abort(reason)
    })
    const call = createClient({ baseUrl, apiKey }).listProducts({}, { signal: leaving.signal })
    await expect(call).rejects.toBe(reason)
    await closed
    expect(seen).toHaveLength(1)
  })

  test('a signal that lives long gathers no listeners', async () => {
    const { signal } = new AbortController()
    const { baseUrl } = await startAnswering(success())
    await createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('network failures', () => {
  test('a port where nobody listens is store_unavailable, named by its system code only', async () => {
    const port = await freePort()
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, retries: 0 })
    const error: unknown = await client.listProducts({ email: 'test@example.com' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'store_unavailable', message: 'The shop cannot be reached (ECONNREFUSED).' })
    expect(error).not.toHaveProperty('cause')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('https://shop.example/?email=test@example.com')
      },
    ],
    ['rejects', () => Promise.reject(new Error('https://shop.example/?email=test@example.com'))],
    ['rejects with nothing', () => Promise.reject(undefined)],
  ])('a fetch that %s is upstream_error, without its words', async (_what, fetch) => {
    const client = createClient({ baseUrl: 'https://shop.example', apiKey, retries: 0, fetch })
    await expect(client.listProducts({ email: 'test@example.com' })).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The connection to the shop failed before its answer was complete.',
    })
  })
})

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
