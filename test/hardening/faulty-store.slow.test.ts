import { expect, it, onTestFinished } from 'vitest'
import { createIntegration, endpointNames, endpoints, type StorePort } from '@storeport/core'
import { serve } from '@storeport/node'
import { email, inputs, queryOf } from '@storeport/testing/samples'

const key = 'a-key-of-the-tests-0001'
/** What a store may do instead of its work; core's tests have many more, these go over a connection. */
const faults: [what: string, method: () => unknown, code: string][] = [
  [
    'throws',
    () => {
      throw new Error(`no row for ${email}`)
    },
    'internal_error',
  ],
  ['rejects', () => Promise.reject(new Error(`no row for ${email}`)), 'internal_error'],
  ['rejects with nothing', () => Promise.reject(undefined), 'internal_error'],
  ['hangs', () => new Promise(() => {}), 'store_timeout'],
  ['refuses in vain', () => Promise.resolve({ success: false }), 'invalid_store_response'],
]

it.each(faults)('a store that %s at every endpoint ends no server and no connection', async (_what, method, code) => {
  const stray: unknown[] = []
  const note = (error: unknown) => stray.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))

  const store: StorePort = {}
  for (const name of endpointNames) Reflect.set(store, name, method)
  const told: string[] = []
  const integration = createIntegration({
    store,
    apiKeys: [key],
    timeoutMs: 20,
    retries: false,
    onError: (_, summary) => told.push(summary.message),
  })
  const { url, close } = await serve(integration, { port: 0 })
  onTestFinished(close)

  for (const name of endpointNames) {
    const { method: verb, path } = endpoints[name]
    const query = verb === 'GET' ? `?${queryOf(name)}` : ''
    const response = await fetch(`${url}/integration${path}${query}`, {
      method: verb,
      headers: { 'x-integration-api-key': key, 'content-type': 'application/json' },
      ...(verb === 'POST' && { body: JSON.stringify(inputs[name]) }),
    })
    const text = await response.text()
    expect([name, response.status, JSON.parse(text)]).toMatchObject([
      name,
      code === 'store_timeout' ? 504 : 500,
      { success: false, error: { code } },
    ])
    expect(text).not.toContain('test@')
  }
  expect(told).toHaveLength(endpointNames.length)
  expect(told.join()).not.toContain('test@')
  expect(stray).toEqual([])
})
