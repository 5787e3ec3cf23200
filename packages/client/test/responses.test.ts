import { endpointNames, errors, isErrorCode, type ErrorCode } from '@storeport/core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { callWithSample, inputs, outputs } from '@storeport/testing/samples'
import { apiKey, type Canned, clientOf, failure, startResponding, startServer, success } from './start-server.ts'

const html = { 'Content-Type': 'text/html; charset=utf-8' }

/** Creates a client without retries that reads at most 5,000 bytes of a response. */
const strictClientOf = (...answers: readonly [Canned, ...Canned[]]) =>
  clientOf(answers, { retries: 0, maxResponseBytes: 5000 })

describe('a client that receives an error response', () => {
  test.each(Object.keys(errors).filter(isErrorCode))('throws %s as a StoreError with its message', async (code) => {
    const { client } = await strictClientOf(failure(errors[code].status, code, `Message of ${code}.`))
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({
      name: 'StoreError',
      code,
      message: `Message of ${code}.`,
      retryAfter: undefined,
    })
  })

  test.each<[number, 'getSubscription' | 'getDiscount' | 'sendNow' | 'listProducts', ErrorCode]>([
    [200, 'sendNow', 'invalid_request'],
    [400, 'sendNow', 'invalid_request'],
    [401, 'sendNow', 'unauthorized'],
    [403, 'sendNow', 'invalid_request'],
    [404, 'getSubscription', 'subscription_not_found'],
    [404, 'getDiscount', 'discount_not_found'],
    [404, 'sendNow', 'customer_not_found'],
    [404, 'listProducts', 'endpoint_not_found'],
    [429, 'sendNow', 'rate_limited'],
    [500, 'sendNow', 'internal_error'],
    [503, 'sendNow', 'store_unavailable'],
    [507, 'sendNow', 'upstream_error'],
  ])('maps an unsupported code with status %i from %s to %s', async (status, name, code) => {
    const { client } = await strictClientOf(failure(status, 'E_OTHER', 'Custom message.'))
    await expect(callWithSample(client, name)).rejects.toMatchObject({ code, message: 'Custom message.' })
  })

  test('removes emails, the API key and control characters from a message, and truncates a long message', async () => {
    const { client } = await strictClientOf(
      failure(404, 'customer_not_found', `No <test@example.com> or\u0000test%40example.com for ${apiKey}.`),
      failure(404, 'customer_not_found', 'x'.repeat(2000)),
      failure(404, 'customer_not_found', ' '),
    )
    const messageOf = () =>
      client.sendNow(inputs.sendNow).then(
        () => 'no error',
        (error: Error) => error.message,
      )
    expect(await messageOf()).toBe('No [email] [email] for [key].')
    expect(await messageOf()).toHaveLength(501)
    expect(await messageOf()).toBe(errors.customer_not_found.message)
  })
})

describe('a client that receives an invalid response', () => {
  const json = (value: unknown): Canned => ({ body: JSON.stringify(value) })
  const item = { id: 'test_12345', title: 'A', price: 1, images: [], quantity: 1 }
  const subscription = { next_billing_date: '2030-01-15', items: [item] }

  test.each<[string, Canned, string]>([
    ['HTML', { headers: html, body: '<p>test@example.com' }, 'status 200 is not JSON (Content-Type: text/html)'],
    ['HTML from a gateway', { status: 502, headers: html, body: '<h1>Bad' }, 'status 502 is not JSON'],
    ['an invalid Content-Type', { headers: { 'Content-Type': 'a@b.example' }, body: 'x' }, '(Content-Type: unknown)'],
    ['truncated JSON', { body: '{"success":true,"data":{"next_bil' }, 'is not JSON'],
    ['status 204', { status: 204 }, 'status 204 has no body'],
    ['status 500 without a body', { status: 500 }, 'status 500 has no body'],
    [
      'status 500 without the envelope',
      { status: 500, body: '{"error":"test@example.com"}' },
      'does not have a valid body: success: ',
    ],
    ['null', json(null), 'does not have a valid body'],
    ['a string', json('test@example.com'), 'does not have a valid body'],
    ['an array', json([{ success: true }]), 'does not have a valid body'],
    ['a string as success', json({ success: 'true' }), 'success: must be true or false'],
    ['a string as error', json({ success: false, error: 'test@example.com' }), 'error: must be an object'],
    ['an error without a code', json({ success: false, error: { message: 'No.' } }), 'error.code: is required'],
    ['an error without a message', json({ success: false, error: { code: 'x' } }), 'error.message: is required'],
    ['success with status 500', { status: 500, ...success(subscription) }, 'status 500 has success: true'],
    ['success with status 404', { status: 404, ...success(subscription) }, 'status 404 has success: true'],
    ['missing data', json({ success: true }), 'data: '],
    ['null as data', success(null), 'data: '],
    ['a missing field', success({ items: [] }), 'data.next_billing_date: is required'],
    ['a body that is not UTF-8', { body: '' }, 'not UTF-8'],
    ['a body above the limit', success({ ...subscription, note: 'x'.repeat(5000) }), 'maxResponseBytes (5000)'],
  ])('rejects %s', async (what, response, message) => {
    const { baseUrl } = await startServer((_request, sent) => {
      const { status = 200, headers = { 'Content-Type': 'application/json' }, body = '' } = response
      sent.writeHead(status, headers).end(what === 'a body that is not UTF-8' ? Buffer.from([0x22, 0xe9, 0x22]) : body)
    })
    const client = createClient({ baseUrl, apiKey, retries: 0, maxResponseBytes: 5000 })
    const error = await client.getSubscription({ email: 'test@example.com' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'StoreError',
      code: 'upstream_error',
      message: expect.stringContaining(message),
    })
    expect(String(error)).not.toMatch(/@|example\.com/)
  })

  test('includes Retry-After from the HTML response of a gateway in the error', async () => {
    const { client } = await strictClientOf({
      status: 503,
      headers: { ...html, 'Retry-After': '9' },
      body: '<h1>Later',
    })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error', retryAfter: 9 })
  })

  test('stops reading an endless response at the limit', async () => {
    const { baseUrl } = await startServer((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(1000)));
        response.once('drain', more)
      }
      more()
    })
    const client = createClient({ baseUrl, apiKey, maxResponseBytes: 20_000 })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test('accepts a response whose size is exactly maxResponseBytes', async () => {
    const { body = '' } = success({ products: [] })
    const { baseUrl } = await startResponding({ body })
    const products = (maxResponseBytes: number) => createClient({ baseUrl, apiKey, maxResponseBytes }).listProducts({})
    expect(await products(body.length)).toEqual({ products: [] })
    await expect(products(body.length - 1)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test.each([301, 302, 303, 307, 308])('does not follow a %i redirect', async (status) => {
    const elsewhere = await startResponding(success())
    const { client, seen } = await strictClientOf({ status, headers: { Location: `${elsewhere.baseUrl}/stolen` } })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('redirect'),
    })
    expect(seen).toHaveLength(1)
    expect(elsewhere.seen).toEqual([])
  })
})

describe('a client that receives a response', () => {
  test.each(endpointNames)('removes fields that are not in the contract: %s', async (name) => {
    const data = { ...outputs[name], secret_of_the_shop: 1 }
    const { client } = await strictClientOf(success(data))
    expect(await callWithSample(client, name)).toEqual(outputs[name])
  })

  test('rejects an action whose data contains success: false', async () => {
    const { client } = await strictClientOf(success({ success: false }))
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test('accepts a byte-order mark, status 201 and a missing Content-Type', async () => {
    const { client } = await strictClientOf({ status: 201, headers: {}, body: '\uFEFF{"success":true}' })
    expect(await client.sendNow(inputs.sendNow)).toBeUndefined()
  })
})
