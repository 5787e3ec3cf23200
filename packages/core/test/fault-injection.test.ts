import { describe, expect, it, vi } from 'vitest'
import type { EndpointName, ErrorCode, ErrorSummary, IntegrationOptions, StorePort } from '@storeport/core'
import { endpointNames, endpoints, StoreError } from '@storeport/core'
import { email, inputs, outputs, product, queryOf } from '@storeport/testing/samples'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { integrationOf, send } from './support.ts'

/** An untyped store method. */
type Method = (input: unknown, context: { readonly signal: AbortSignal }) => unknown

const reads = endpointNames.filter((name) => endpoints[name].method === 'GET')
const changes = endpointNames.filter((name) => endpoints[name].method === 'POST')

/** Creates a shop with one method and maxConcurrent 1. A request that never ends therefore blocks the next request. */
function shopWith(name: EndpointName, method: Method, options: Partial<IntegrationOptions> = {}) {
  const reported: ErrorSummary[] = []
  const unhandled = collectStrayErrors()
  const store: StorePort = {}
  Reflect.set(store, name, method)
  const integration = integrationOf(store, {
    timeoutMs: 20,
    maxConcurrent: 1,
    retries: false,
    onError: (_, summary) => reported.push(summary),
    ...options,
  })
  const { path } = endpoints[name]
  const call = () =>
    endpoints[name].method === 'GET'
      ? send(integration, `/integration${path}?${queryOf(name)}`)
      : send(integration, `/integration${path}`, { body: inputs[name] })
  return { call, reported, unhandled }
}

/** Expects an error response without details, one call of `onError`, and success of the next request. */
async function expectFailure(name: EndpointName, fault: Method, code: ErrorCode, status: number): Promise<void> {
  let method = fault
  const { call, reported, unhandled } = shopWith(name, (input, context) => method(input, context))
  const failed = await call()
  expect([failed.status, failed.json]).toEqual([
    status,
    { success: false, error: { code, message: expect.any(String) } },
  ])
  expect(failed.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(failed.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(failed.text).not.toMatch(/test@|secret|\.ts:\d/)
  expect(reported).toMatchObject([{ code, endpoint: name, message: expect.any(String) }])
  expect(JSON.stringify(reported)).not.toMatch(/test@/)
  method = () => Promise.resolve(outputs[name])
  expect((await call()).status).toBe(200)
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
}

const trap = () => {
  throw new Error('was read')
}
/** Creates a proxy that throws an error for every operation. */
const throwingProxy = (target: object) => {
  const traps = ['get', 'has', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor', 'set']
  return new Proxy(target, Object.fromEntries(traps.map((name) => [name, trap])))
}
const withGetter = (target: object, ...keys: string[]) => {
  for (const key of keys) Object.defineProperty(target, key, { get: trap })
  return target
}
const cyclic = () => {
  const value: Record<string, unknown> = { email }
  value['self'] = value
  return value
}
/** Creates a StoreError with changed properties. */
const changedStoreError = (changed: object) => Object.assign(new StoreError('payment_failed'), changed)

/** Values that a faulty store may throw. */
const thrown: [what: string, value: () => unknown][] = [
  ['an error', () => new Error(`no row for ${email} secret`)],
  ['an error that is its own cause', () => Object.assign(new Error('lost'), { cause: cyclic() })],
  ['an AggregateError', () => new AggregateError([new Error(email)], email)],
  ['a DOMException', () => new DOMException(email, 'AbortError')],
  ['a frozen error', () => Object.freeze(new Error(email))],
  ['an error with a long message', () => new Error(`${email} `.repeat(100_000))],
  ['an error whose message is not a string', () => Object.assign(new Error(), { message: { email } })],
  ['a promise', () => new Promise(() => {})],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a symbol', () => Symbol('secret')],
  ['an object without a prototype', () => Object.create(null)],
  ['a StoreError with an unknown code', () => changedStoreError({ code: 'no_such_code' })],
  [
    'a StoreError whose code is the name of a property of every object',
    () => changedStoreError({ code: 'constructor' }),
  ],
  ['a StoreError without a code', () => changedStoreError({ code: undefined })],
]

/** One read and one change suffice, because error handling does not depend on the endpoint. */
describe.each(['getSubscription', 'addProduct'] as const)('%s with a faulty store', (name) => {
  it.each(thrown)('returns 500 if the store throws or rejects with %s', async (_what, value) => {
    const fault = () => {
      throw value()
    }
    await expectFailure(name, fault, 'internal_error', 500)
    await expectFailure(name, () => Promise.reject(value()), 'internal_error', 500)
  })
})

describe.each(endpointNames)('%s with a faulty store', (name) => {
  it('returns 504 and aborts the signal once if the store hangs', async () => {
    let fired = 0
    let given: { readonly signal: AbortSignal } | undefined
    const listens: Method = (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => (fired += 1))
      })
    await expectFailure(name, listens, 'store_timeout', 504)
    expect(fired).toBe(1)
    const readsLate: Method = (_, context) => {
      given = context
      return new Promise(() => {})
    }
    await expectFailure(name, readsLate, 'store_timeout', 504)
    expect(given?.signal.aborted).toBe(true)
  })

  it.each<[string, (settle: { resolve(value: unknown): void; reject(error: unknown): void }) => void]>([
    ['returns', ({ resolve }) => resolve(outputs[name])],
    ['fails', ({ reject }) => reject(new Error(email))],
    ['returns an object that throws when it is read', ({ resolve }) => resolve(throwingProxy({}))],
    ['fails with an error that throws when it is read', ({ reject }) => reject(throwingProxy(new Error()))],
  ])('returns 504 if the time limit ends before the store %s', async (_what, settle) => {
    let late = () => {}
    const fault: Method = () =>
      new Promise((resolve, reject) => {
        late = () => settle({ resolve, reject })
      })
    await expectFailure(name, fault, 'store_timeout', 504)
    const unhandled = collectStrayErrors()
    late()
    await new Promise(setImmediate)
    expect(unhandled).toEqual([])
  })

  it('ignores every settlement of a promise except the first', async () => {
    const { call, reported, unhandled } = shopWith(name, () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve(outputs[name])
        resolve('again')
        reject(new Error('too late'))
        throw new Error('later still')
      },
    }))
    expect((await call()).status).toBe(200)
    await new Promise(setImmediate)
    expect([reported, unhandled]).toEqual([[], []])
  })

  it('returns 500 if the store returns a promise that throws when it is awaited', async () => {
    await expectFailure(name, () => withGetter({}, 'then'), 'internal_error', 500)
  })
})

/** Invalid outputs of a store method. A method without `return` returns `undefined`. */
const invalidOutputs: [what: string, value: () => unknown][] = [
  ['undefined', () => undefined],
  ['a number', () => 42],
  ['an array', () => []],
  ['an empty object', () => ({})],
  ['a symbol', () => Symbol('secret')],
  ['a map', () => new Map([['products', []]])],
  ['arrays of null', () => ({ products: [null], subscriptions: null, items: [null], discount_type: null })],
  ['strings instead of arrays', () => ({ products: email, subscriptions: email, items: email, discount_type: email })],
  [
    'NaN and Infinity as numbers',
    () => ({
      products: [{ ...product, price: Number.NaN }],
      next_billing_date: '2099-01-31',
      items: [{ ...product, quantity: Infinity }],
      subscriptions: Number.NaN,
      discount_type: 'fixed_amount',
      discount_amount: Number.NaN,
    }),
  ],
  ['a circular object', cyclic],
]

describe.each(reads)('output of %s', (name) => {
  it.each(invalidOutputs)('is rejected: %s', async (_what, value) => {
    await expectFailure(name, () => Promise.resolve(value()), 'invalid_store_response', 500)
  })

  it.each<[string, () => unknown]>([
    ['getters that throw', () => withGetter({}, 'products', 'items', 'subscriptions', 'discount_type')],
    ['proxies that throw', () => [throwingProxy({})]],
  ])('is rejected if it contains %s', async (_what, value) => {
    // Nests the value one level deeper, because a promise cannot resolve with an object whose `then` throws.
    const [subscriptions] = [value()].flat()
    const deeper = () => ({ products: value(), items: value(), subscriptions, discount_type: value() })
    let method: Method = async () => deeper()
    const { call, reported, unhandled } = shopWith(name, (input, context) => method(input, context))
    const failed = await call()
    expect([failed.status, failed.json.success]).toEqual([500, false])
    expect(reported).toHaveLength(1)
    method = async () => outputs[name]
    expect((await call()).status).toBe(200)
    expect(unhandled).toEqual([])
  })

  it('is returned without unknown fields', async () => {
    const output = outputs[name]
    const { call } = shopWith(name, async () => ({
      ...(typeof output === 'object' ? output : {}),
      secret: 'secret',
      toJSON: () => 'secret',
      get unread(): never {
        throw new Error('was read')
      },
    }))
    const answered = await call().catch((error: unknown) => error)
    expect(JSON.stringify(answered)).not.toContain('secret')
  })
})

it.each(changes)('rejects false and success: false as the output of %s', async (name) => {
  for (const output of [false, { success: false, email }])
    await expectFailure(name, async () => output, 'invalid_store_response', 500)
})

it.each(invalidOutputs)('ignores the output of addProduct: %s', async (_what, value) => {
  const { call, reported } = shopWith('addProduct', () => Promise.resolve(value()))
  expect((await call()).text).toBe('{"success":true}')
  expect(reported).toEqual([])
})

describe('failing merchant hooks', () => {
  const failing = () => {
    throw throwingProxy(new Error())
  }

  it('ignores errors that onError throws', async () => {
    const { call } = shopWith('sendNow', () => Promise.reject(new Error('lost')), { onError: failing })
    expect((await call()).status).toBe(500)
  })

  it('still returns 401 for an invalid key if keyGuesses throws or hangs', async () => {
    const sendNow = vi.fn(async () => {})
    const valid = shopWith('sendNow', sendNow, { keyGuesses: { failed: failing } })
    expect([(await valid.call()).status, valid.reported]).toEqual([200, []])
    const invalid = shopWith('sendNow', sendNow, {
      keyGuesses: { failed: failing },
      apiKeys: ['another-key-0001-0001'],
    })
    expect((await invalid.call()).status).toBe(401)
    expect(invalid.reported).toHaveLength(1)
    const hanging = () => new Promise<void>(() => {})
    const slow = shopWith('sendNow', sendNow, { keyGuesses: { failed: hanging }, apiKeys: ['another-key-0001-0001'] })
    expect([(await slow.call()).status, (await slow.call()).status]).toEqual([401, 401])
    expect(sendNow).toHaveBeenCalledTimes(1)
  })
})
