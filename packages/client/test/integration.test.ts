import {
  type CompleteStorePort,
  type Context,
  createIntegration,
  type EndpointName,
  endpointNames,
  endpoints,
  type Integration,
  StoreError,
} from '@storeport/core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { inputs, outputs } from '@storeport/testing/samples'
import { apiKey, startServer } from './start-server.ts'

interface SeenCall {
  readonly name: string
  readonly input: unknown
  readonly context: Context
}

/** Creates a store that records its calls and returns sample outputs, unless `override` throws or returns null. */
function recordingStore(override: (name: EndpointName) => unknown = () => undefined) {
  const calls: SeenCall[] = []
  const respond = <Name extends EndpointName>(name: Name) => {
    return async (input: unknown, context: Context) => {
      calls.push({ name, input, context: { ...context, signal: context.signal } })
      if (override(name) === null) return null
      return outputs[name]
    }
  }
  const store: object = Object.fromEntries(endpointNames.map((name) => [name, respond(name)]))
  if (!isComplete(store)) throw new Error('The store is not complete.')
  return { store, calls }
}

function isComplete(store: object): store is CompleteStorePort {
  return endpointNames.every((name) => name in store)
}

/** Serves an integration under `/shop` on a free port; returns the base URL for a client. */
async function serve(integration: Integration): Promise<string> {
  const { baseUrl } = await startServer(async (_request, response, { method = 'GET', url, headers, body }) => {
    const request = new Request(`${baseUrl}${url.replace(/^\/shop/, '')}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: method === 'POST' ? body : null,
    })
    const result = await integration.fetch(request)
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text())
  })
  return `${baseUrl}/shop`
}

const silent = () => {}

describe('a client of an integration', () => {
  test('uses the same vendor names and test mode as the integration', async () => {
    const real = recordingStore()
    const trial = recordingStore()
    const vendor = 'acme-mail'
    const baseUrl = await serve(
      createIntegration({ store: real.store, testStore: trial.store, apiKeys: [apiKey], vendor }),
    )
    await createClient({ baseUrl, apiKey, vendor, testMode: true }).sendNow(inputs.sendNow)
    expect(real.calls).toEqual([])
    expect(trial.calls).toMatchObject([{ context: { testMode: true } }])
  })

  test('sets honoursIdempotencyKey to the option value, or to false by default', () => {
    const options = { baseUrl: 'https://shop.example', apiKey }
    expect(createClient(options).honoursIdempotencyKey).toBe(false)
    for (const honoursIdempotencyKey of [true, { forMs: 60_000 }])
      expect(createClient({ ...options, honoursIdempotencyKey }).honoursIdempotencyKey).toEqual(honoursIdempotencyKey)
  })
})

describe("a client used as another integration's store", () => {
  /** Sends the same request to a shop, and to an integration whose store is a client of that shop. */
  async function bothResponses(name: EndpointName, override?: (name: EndpointName) => unknown) {
    const { store, calls } = recordingStore(override)
    const shop = createIntegration({ store, apiKeys: [apiKey], onError: silent })
    const client = createClient({ baseUrl: await serve(shop), apiKey, retries: 0 })
    const front = createIntegration({ store: client, apiKeys: [apiKey], onError: silent })
    const responses = []
    for (const integration of [shop, front]) {
      const response = await integration.fetch(requestFor(name))
      const { status, headers } = response
      responses.push({ status, headers: Object.fromEntries(headers), body: await response.text() })
    }
    return { direct: responses[0], relayed: responses[1], calls }
  }

  function requestFor(name: EndpointName): Request {
    const { method, path } = endpoints[name]
    const url = `https://shop.example/integration${path}`
    const headers = { 'X-Integration-API-Key': apiKey, 'X-Request-Id': 'req-1', 'Content-Type': 'application/json' }
    if (method === 'POST') return new Request(url, { method, headers, body: JSON.stringify(inputs[name]) })
    const query = Object.entries(inputs[name]).map(([field, value]) => `${field}=${encodeURIComponent(String(value))}`)
    return new Request(`${url}?${query.join('&')}`, { headers })
  }

  test.each(endpointNames)("%s: returns the shop's response", async (name) => {
    const { direct, relayed, calls } = await bothResponses(name)
    expect(direct?.status).toBe(200)
    expect(relayed).toEqual(direct)
    expect(calls).toHaveLength(2)
    expect(calls[1]?.input).toEqual(calls[0]?.input)
    expect(calls[1]?.context.requestId).toBe('req-1')
  })

  test.each(['getSubscription', 'getDiscount'] as const)("%s: returns the shop's 404 response", async (name) => {
    const { direct, relayed } = await bothResponses(name, () => null)
    expect(direct?.status).toBe(404)
    expect(relayed).toEqual(direct)
  })

  test("preserves the code, message and Retry-After of the shop's error", async () => {
    const { direct, relayed } = await bothResponses('sendNow', () => {
      throw new StoreError('rate_limited', 'One box a minute.', { retryAfter: 42 })
    })
    expect(direct).toMatchObject({ status: 429, headers: { 'retry-after': '42' } })
    expect(relayed).toEqual(direct)
  })
})
