import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../src/index.ts'
import { inputs } from '@storeport/testing/samples'
import { apiKey, clientOf, failure, startResponding, startServer, success } from './start-server.ts'

const found = success({ products: [] })
const busy = failure(503, 'store_unavailable')

describe('a client with retries', () => {
  // Sets the random part of the back-off to 0, so that the tests do not wait.
  beforeEach(() => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    return () => random.mockRestore()
  })

  test.each([
    [429, 'rate_limited'],
    [502, 'upstream_error'],
    [503, 'store_unavailable'],
    [504, 'store_timeout'],
  ])('retries a GET after status %i', async (status, code) => {
    const { client, seen } = await clientOf([failure(status, code), failure(status, code), found])
    expect(await client.listProducts({})).toEqual({ products: [] })
    expect(seen).toHaveLength(3)
  })

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [404, 'endpoint_not_found'],
    [500, 'internal_error'],
  ])('does not retry a GET after status %i', async (status, code) => {
    const { baseUrl, seen } = await startResponding(failure(status, code), found)
    await expect(createClient({ baseUrl, apiKey }).listProducts({})).rejects.toMatchObject({ code })
    expect(seen).toHaveLength(1)
  })

  test.each([429, 502, 503, 504])(
    'does not retry a POST after status %i, even with an idempotency key',
    async (status) => {
      const { client, seen } = await clientOf([failure(status, 'rate_limited'), success()], { retries: 10 })
      const call = client.sendNow(inputs.sendNow, { idempotencyKey: 'click-1' })
      await expect(call).rejects.toMatchObject({ code: 'rate_limited' })
      expect(seen).toHaveLength(1)
    },
  )

  test('retries a GET after a lost connection, but not a POST', async () => {
    let drops = 0
    const { baseUrl, seen } = await startServer((request, response) => {
      if (drops === 0 || request.method === 'POST') request.socket.destroy()
      else response.end(found.body)
      drops += 1
    })
    const client = createClient({ baseUrl, apiKey })
    expect(await client.listProducts({})).toEqual({ products: [] })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
  })

  test('retries a GET after an incomplete response', async () => {
    const { baseUrl, seen } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('{"success"', () => response.destroy())
    })
    const client = createClient({ baseUrl, apiKey, retries: 1 })
    await expect(client.listProducts({})).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringMatching(/^The connection to the shop failed before the response was complete/),
    })
    expect(seen).toHaveLength(2)
  })

  test('does not retry after a redirect or a response that is too large', async () => {
    const { client, seen } = await clientOf([{ status: 302, headers: { Location: '/' } }, found], {
      maxResponseBytes: 5,
    })
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'upstream_error' })
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'upstream_error' })
    expect(seen).toHaveLength(2)
  })

  test('throws the error of the last attempt', async () => {
    const { baseUrl, seen } = await startResponding(busy, failure(429, 'rate_limited', 'Wait.', { 'Retry-After': '1' }))
    const call = createClient({ baseUrl, apiKey, retries: 1 }).listProducts({})
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', message: 'Wait.', retryAfter: 1 })
    expect(seen).toHaveLength(2)
  })

  test.each([
    [undefined, 3],
    [0, 1],
    [10, 11],
  ])('with the option retries set to %o, sends %i requests to an unavailable shop', async (retries, times) => {
    const { client, seen } = await clientOf([busy], { retries })
    await expect(client.listProducts({})).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(seen).toHaveLength(times)
  })
})
