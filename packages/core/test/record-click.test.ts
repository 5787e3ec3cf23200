import { describe, expect, it } from 'vitest'
import { type ClickRecord, type IntegrationOptions, StoreError, type StorePort } from '@storeport/core'
import { sha256 } from '../src/retries/runtime.ts'
import { deferred, integrationOf, key, send } from './support.ts'

const paths = { add: '/integration/upsells/add-product', sendNow: '/integration/customer-portal/send-now' } as const
const customer = { email: 'a@b.example' }
const beans = { ...customer, product_id: 'beans' }
const named = { 'idempotency-key': 'click-1' }

/** Creates an integration whose store is also its test store. Collects failures, records and the promises of `onClick`. */
function recorded(store: StorePort, options: Partial<IntegrationOptions> = {}) {
  const [errors, records, waited]: [unknown[], ClickRecord[], Promise<unknown>[]] = [[], [], []]
  const integration = integrationOf(store, {
    ...{ testStore: store, onClick: (record) => void records.push(record), onError: (error) => errors.push(error) },
    ...options,
  })
  const waitUntil = (promise: Promise<unknown>) => void waited.push(promise)
  const waiting = { fetch: (request: Request) => integration.fetch(request, { waitUntil }) }
  const post = (path: string, body: object, headers = {}) => send(integration, path, { body, headers })
  const add = (body: object) => send(waiting, paths.add, { body })
  return { integration, post, add, errors, waited, records }
}

describe('onClick', () => {
  it('receives each change that names a customer', async () => {
    const { integration, post, records } = recorded({
      addProduct: async ({ email, product_id }) => {
        if (email !== customer.email) throw new StoreError('customer_not_found')
        if (product_id === 'none') throw new StoreError('product_not_found')
      },
      getSubscription: async () => null,
    })
    await post(paths.add, { ...beans, secret: 'not-recorded' }, { 'x-request-id': 'first', cookie: 'not-recorded' })
    await post(paths.add, beans)
    await post(paths.add, { ...beans, product_id: 'none' }, { 'idempotency-key': 'not-recorded' })
    await post(paths.add, { ...customer, quantity: -1 })
    await post(paths.add, { ...beans, email: 'unknown@b.example' })
    // No records: no customer, an invalid API key, test mode, and a read.
    await post(paths.add, { product_id: 'beans' })
    await send(integration, paths.add, { body: 'no JSON', headers: { 'content-type': 'application/json' } })
    await post(paths.add, beans, { 'x-integration-api-key': 'a-wrong-key-of-16' })
    await post(paths.add, beans, { 'x-integration-test-mode': 'true' })
    await send(integration, `/integration/customer-portal/subscription?email=${customer.email}`)

    const input = { product_id: 'beans', quantity: 1, one_time: false }
    const facts = {
      ...{ operation: 'addProduct', ...customer, input, status: 200, repeat: false },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      durationMs: expect.any(Number),
      requestId: expect.any(String),
      keyName: String(await sha256(key)).slice(0, 8),
    }
    expect(records).toEqual([
      { ...facts, requestId: 'first' },
      { ...facts, repeat: true },
      { ...facts, input: { ...input, product_id: 'none' }, status: 404, code: 'product_not_found' },
      { ...facts, input: {}, status: 400, code: 'invalid_request' },
      { ...facts, email: 'unknown@b.example', status: 404, code: 'customer_not_found' },
    ])
    for (const secret of ['not-recorded', key]) expect(JSON.stringify(records)).not.toContain(secret)
  })

  it('receives one record of a request whose store call ends after its 504', async () => {
    const end = deferred<void>()
    const { post, records, errors } = recorded({ addProduct: () => end.promise }, { timeoutMs: 100 })
    await post(paths.add, beans, named)
    end.resolve()
    await end.promise
    expect((await post(paths.add, beans, named)).status).toBe(200)
    expect(records.map(({ status, code, repeat }) => [status, code, repeat])).toEqual([
      [504, 'store_timeout', false],
      [200, undefined, true],
    ])
    expect(errors).toHaveLength(1)
  })

  it.each(['throws', 'rejects'])('changes nothing and is reported if it %s', async (how) => {
    const summaries: string[] = []
    const onError: IntegrationOptions['onError'] = (_error, summary) => void summaries.push(JSON.stringify(summary))
    const onClick = () => {
      const error = new Error('The table is missing.')
      if (how === 'rejects') return Promise.reject(error)
      throw error
    }
    const { add, waited } = recorded({ addProduct: async () => {} }, { onClick, onError })
    expect((await add(beans)).status).toBe(200)
    expect(await Promise.all(waited)).toEqual([undefined])
    expect(summaries).toEqual([expect.stringContaining('The table is missing.')])
    expect(summaries[0]).not.toContain(customer.email)
  })

  it('is never awaited by a request, and its promise is passed to waitUntil', async () => {
    const end = deferred<void>()
    const { add, waited } = recorded({ addProduct: async () => {} }, { onClick: () => end.promise })
    expect((await add(beans)).status).toBe(200)
    let isDone = false
    const done = Promise.all(waited).then(() => (isDone = true))
    await add(beans)
    expect([waited.length, isDone]).toEqual([2, false])
    end.resolve()
    await done
  })

  it('is not called while 1,000 calls are pending, which is reported once', async () => {
    const end = deferred<void>()
    let calls = 0
    const onClick = () => ((calls += 1), end.promise)
    const { add, post, waited, errors } = recorded({ addProduct: async () => {} }, { onClick, retries: false })
    for (let at = 0; at < 1003; at++) expect((await add(beans)).status).toBe(200)
    expect([calls, waited.length, errors]).toEqual([
      ...[1000, 1000],
      [new Error('onClick: 1000 calls are pending. Records dropped since the start: 1.')],
    ])
    end.resolve()
    await Promise.all(waited)
    await post(paths.add, beans)
    expect(calls).toBe(1001)
  })
})

it.each([
  ['paused', 503, 'store_unavailable', '60'],
  ['hidden', 404, 'endpoint_not_available', null],
] as const)('does not call the store of an operation that is %s', async (mode, ...expected) => {
  let isPaused = true
  const { post, records, errors } = recorded(
    { addProduct: async () => expect(isPaused).toBe(false), sendNow: async () => {} },
    { isPaused: (operation) => (isPaused && operation === 'addProduct' ? mode : undefined) },
  )
  const { status, json, headers } = await post(paths.add, beans)
  expect([status, json.error?.code, headers.get('retry-after')]).toEqual(expected)
  expect((await post(paths.sendNow, customer)).status).toBe(200)
  isPaused = false
  expect((await post(paths.add, beans)).status).toBe(200)
  expect(records.map((record) => record.status)).toEqual(mode === 'paused' ? [503, 200, 200] : [200, 200])
  expect(errors).toEqual([])
})
