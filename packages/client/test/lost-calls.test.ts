import { getEventListeners } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { inputs } from '@storeport/testing/samples'
import { apiKey, startResponding, startServer, success } from './start-server.ts'

test('times out a call with the real clock and the global fetch', async () => {
  const { baseUrl } = await startServer(() => {})
  const client = createClient({ baseUrl, apiKey, timeoutMs: 30 })
  await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'store_timeout' })
})

describe('a call with an abort signal', () => {
  test('sends no request if the signal is already aborted', async () => {
    const { baseUrl, seen } = await startResponding(success())
    const reason = new Error('Gone.')
    const call = createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(seen).toEqual([])
  })

  test('rejects with the abort reason and ends the request when the signal is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('Gone.')
    let closed: Promise<unknown> = Promise.resolve()
    const { baseUrl, seen } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      controller.abort(reason)
    })
    const call = createClient({ baseUrl, apiKey }).listProducts({}, { signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    await closed
    expect(seen).toHaveLength(1)
  })

  test('removes its listener from the signal when the call ends', async () => {
    const { signal } = new AbortController()
    const { baseUrl } = await startResponding(success())
    await createClient({ baseUrl, apiKey }).sendNow(inputs.sendNow, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a network failure', () => {
  test('throws store_unavailable with only the system error code if the port is closed', async () => {
    const port = await freePort()
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, retries: 0 })
    const error: unknown = await client.listProducts({ email: 'test@example.com' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'store_unavailable', message: 'The shop is unreachable (ECONNREFUSED).' })
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
    ['rejects with undefined', () => Promise.reject(undefined)],
  ])('throws upstream_error without the original message if fetch %s', async (_name, fetch) => {
    const client = createClient({ baseUrl: 'https://shop.example', apiKey, retries: 0, fetch })
    await expect(client.listProducts({ email: 'test@example.com' })).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The connection to the shop failed before the response was complete.',
    })
  })
})

/** Returns a port that no server uses. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
