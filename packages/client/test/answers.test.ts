import { endpointNames, errors, isErrorCode, type ErrorCode } from '@storeport/core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { callWithSample, inputs, outputs } from '@storeport/testing/samples'
import { apiKey, type Canned, clientOf, refusal, startAnswering, startServer, success } from './start-server.ts'

const html = { 'Content-Type': 'text/html; charset=utf-8' }

/** A client that neither repeats a request nor reads more than 5,000 bytes. */
const strictClientOf = (...answers: readonly [Canned, ...Canned[]]) =>
  clientOf(answers, { retries: 0, maxAnswerBytes: 5000 })

describe('refusals', () => {
  test.each(Object.keys(errors).filter(isErrorCode))('%s arrives as a StoreError with its message', async (code) => {
    const { client } = await strictClientOf(refusal(errors[code].status, code, `Because of ${code}.`))
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({
      name: 'StoreError',
      code,
      message: `Because of ${code}.`,
      retryAfter: undefined,
    })
  })

  test('what cannot be found is an error, never null', async () => {
    const { client } = await strictClientOf(refusal(404, 'subscription_not_found'), refusal(404, 'discount_not_found'))
    await expect(client.getSubscription(inputs.getSubscription)).rejects.toMatchObject({
      code: 'subscription_not_found',
    })
    await expect(client.getDiscount(inputs.getDiscount)).rejects.toMatchObject({ code: 'discount_not_found' })
  })

  test('Retry-After arrives as seconds', async () => {
    const { client } = await strictClientOf(refusal(429, 'rate_limited', 'Wait.', { 'Retry-After': '17' }))
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 17 })
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
  ])('a foreign code under status %i from %s is read as %s %s', async (status, name, code) => {
    const { client } = await strictClientOf(refusal(status, 'E_OTHER', 'Their own words.'))
    const calls = {
      getSubscription: () => client.getSubscription(inputs.getSubscription),
      getDiscount: () => client.getDiscount(inputs.getDiscount),
      sendNow: () => client.sendNow(inputs.sendNow),
      listProducts: () => client.listProducts(inputs.listProducts),
    }
    await expect(calls[name]()).rejects.toMatchObject({ code, message: 'Their own words.' })
  })

  test('an email, the key and control characters never get into a message, and a long one is cut', async () => {
    const { client } = await strictClientOf(
      refusal(404, 'customer_not_found', `No <test@example.com> or\u0000test%40example.com for ${apiKey}.`),
      refusal(404, 'customer_not_found', 'x'.repeat(2000)),
      refusal(404, 'customer_not_found', ' '),
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

describe('answers that the API does not allow', () => {
  const json = (value: unknown): Canned => ({ body: JSON.stringify(value) })
  const item = { id: 'test_12345', title: 'A', price: 1, images: [], quantity: 1 }
  const subscription = { next_billing_date: '2030-01-15', items: [item] }

  test.each<[string, Canned, string]>([
    ['HTML', { headers: html, body: '<p>test@example.com' }, 'status 200 is not JSON (Content-Type: text/html)'],
    ['HTML of a gateway', { status: 502, headers: html, body: '<h1>Bad' }, 'status 502 is not JSON'],
    [
      'a Content-Type that is none',
      { headers: { 'Content-Type': 'a@b.example' }, body: 'x' },
      '(Content-Type: unknown)',
    ],
    ['half of an answer', { body: '{"success":true,"data":{"next_bil' }, 'is not JSON'],
    ['204', { status: 204 }, 'status 204 has no body'],
    ['500 without a body', { status: 500 }, 'status 500 has no body'],
    [
      '500 without the envelope',
      { status: 500, body: '{"error":"test@example.com"}' },
      'is not the envelope: success: ',
    ],
    ['null', json(null), 'is not the envelope'],
    ['a text', json('test@example.com'), 'is not the envelope'],
    ['a list', json([{ success: true }]), 'is not the envelope'],
    ['success that is a text', json({ success: 'true' }), 'success: must be true or false'],
    ['an error that is a text', json({ success: false, error: 'test@example.com' }), 'error: must be an object'],
    ['an error without a code', json({ success: false, error: { message: 'No.' } }), 'error.code: is required'],
    ['an error without a message', json({ success: false, error: { code: 'x' } }), 'error.message: is required'],
    ['a success under 500', { status: 500, ...success(subscription) }, 'status 500 says success: true'],
    ['a success under 404', { status: 404, ...success(subscription) }, 'status 404 says success: true'],
    ['no data', json({ success: true }), 'data: '],
    ['data that is null', success(null), 'data: '],
    ['a missing field', success({ items: [] }), 'data.next_billing_date: is required'],
    [
      'a date with a time',
      success({ ...subscription, next_billing_date: '2030-01-15T00:00:00Z' }),
      'data.next_billing_date: ',
    ],
    ['a date that is none', success({ ...subscription, next_billing_date: '2030-02-30' }), 'data.next_billing_date: '],
    ['a price that is a text', success({ ...subscription, items: [{ ...item, price: '1' }] }), 'data.items.0.price: '],
    [
      'an id twice',
      success({ ...subscription, items: [item, item] }),
      'data.items: must not contain the same id twice',
    ],
    ['text that is not UTF-8', { body: '' }, 'not UTF-8'],
    ['more than the limit', success({ ...subscription, note: 'x'.repeat(5000) }), 'more than 5000 bytes'],
  ])('%s', async (what, answer, message) => {
    const { baseUrl } = await startServer((_request, response) => {
      const { status = 200, headers = { 'Content-Type': 'application/json' }, body = '' } = answer
      response
        .writeHead(status, headers)
        .end(what === 'text that is not UTF-8' ? Buffer.from([0x22, 0xe9, 0x22]) : body)
    })
    const client = createClient({ baseUrl, apiKey, retries: 0, maxAnswerBytes: 5000 })
    const error = await client.getSubscription({ email: 'test@example.com' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'StoreError',
      code: 'upstream_error',
      message: expect.stringContaining(message),
    })
    expect(String(error)).not.toMatch(/@|example\.com/)
  })

  test('Retry-After is kept when a gateway answers in HTML', async () => {
    const { client } = await strictClientOf({
      status: 503,
      headers: { ...html, 'Retry-After': '9' },
      body: '<h1>Later',
    })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error', retryAfter: 9 })
  })

  test('an endless answer is given up at the limit', async () => {
    const { baseUrl } = await startServer((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(1000)));
        response.once('drain', more)
      }
      more()
    })
    const client = createClient({ baseUrl, apiKey, maxAnswerBytes: 20_000 })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test('an answer of exactly the limit is fine', async () => {
    const { body = '' } = success({ products: [] })
    const { baseUrl } = await startAnswering({ body })
    const products = (maxAnswerBytes: number) => createClient({ baseUrl, apiKey, maxAnswerBytes }).listProducts({})
    expect(await products(body.length)).toEqual({ products: [] })
    await expect(products(body.length - 1)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const elsewhere = await startAnswering(success())
    const { client, seen } = await strictClientOf({ status, headers: { Location: `${elsewhere.baseUrl}/stolen` } })
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('redirect'),
    })
    expect(seen).toHaveLength(1)
    expect(elsewhere.seen).toEqual([])
  })
})

describe('answers that the API allows', () => {
  test.each(endpointNames)('%s drops what the contract does not name', async (name) => {
    const data = { ...outputs[name], secret_of_the_shop: 1 }
    const { client } = await strictClientOf(success(data))
    expect(await callWithSample(client, name)).toEqual(outputs[name])
  })

  test('an action that says false in its data is no success', async () => {
    const { client } = await strictClientOf(success({ success: false }))
    await expect(client.sendNow(inputs.sendNow)).rejects.toMatchObject({ code: 'upstream_error' })
  })

  test('a byte-order mark, another 2xx and a missing Content-Type are fine', async () => {
    const { client } = await strictClientOf({ status: 201, headers: {}, body: '\uFEFF{"success":true}' })
    expect(await client.sendNow(inputs.sendNow)).toBeUndefined()
  })
})
