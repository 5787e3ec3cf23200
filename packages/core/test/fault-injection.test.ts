import { describe, expect, it, vi } from 'vitest'
import type { EndpointName, ErrorCode, ErrorSummary, IntegrationOptions, StorePort } from '@storeport/core'
import { endpointNames, endpoints, errors, StoreError } from '@storeport/core'
import { email, inputs, outputs, queryOf } from '@storeport/testing/samples'
import { collectStrayErrors } from '@storeport/testing/stray-errors'
import { deferred, integrationOf, send } from './support.ts'

/** An untyped store method. */
type Method = (input: unknown, context: { readonly signal: AbortSignal }) => unknown

/** Creates a shop with one method and maxConcurrent 1. A request that never ends therefore blocks the next request. */
function shopWith(name: EndpointName, method: Method, options: Partial<IntegrationOptions> = {}) {
  const reported: ErrorSummary[] = []
  const unhandled = collectStrayErrors()
  const store: StorePort = {}
  Reflect.set(store, name, method)
  const integration = integrationOf(store, {
    ...{ timeoutMs: 20, maxConcurrent: 1, retries: false, onError: (_, summary) => reported.push(summary) },
    ...options,
  })
  const { path, method: verb } = endpoints[name]
  const call = () =>
    verb === 'GET'
      ? send(integration, `/integration${path}?${queryOf(name)}`)
      : send(integration, `/integration${path}`, { body: inputs[name] })
  return { call, reported, unhandled }
}

/** Expects an error response without details, one call of `onError`, and success of the next request. */
async function expectFailure(name: EndpointName, fault: Method, code: ErrorCode): Promise<void> {
  let method = fault
  const { call, reported, unhandled } = shopWith(name, (input, context) => method(input, context))
  const failed = await call()
  expect(failed.status).toBe(errors[code].status)
  expect(failed.json).toEqual({ success: false, error: { code, message: expect.any(String) } })
  expect(failed.text).not.toMatch(/test@|secret|\.ts:\d/)
  expect(reported).toMatchObject([{ code, endpoint: name, message: expect.any(String) }])
  expect(JSON.stringify(reported)).not.toMatch(/test@/)
  method = async () => outputs[name]
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
const cyclic = () => {
  const value: Record<string, unknown> = { email }
  value['self'] = value
  return value
}
/** Creates a StoreError with another code. */
const withCode = (code: unknown) => Object.assign(new StoreError('payment_failed'), { code })

// One read and one change suffice, because error handling does not depend on the endpoint.
describe.each(['getSubscription', 'addProduct'] as const)('%s with a faulty store', (name) => {
  it.each<[what: string, value: () => unknown]>([
    ['an error', () => new Error(`no row for ${email} secret`)],
    ['an error that is its own cause', () => Object.assign(new Error('lost'), { cause: cyclic() })],
    ['an AggregateError', () => new AggregateError([new Error(email)], email)],
    ['a frozen error', () => Object.freeze(new Error(email))],
    ['an error with a long message', () => new Error(`${email} `.repeat(100_000))],
    ['an error whose message is not a string', () => Object.assign(new Error(), { message: { email } })],
    ['a promise', () => new Promise(() => {})],
    ['undefined', () => undefined],
    ['a symbol', () => Symbol('secret')],
    ['an object without a prototype', () => Object.create(null)],
    ['a StoreError with an unknown code', () => withCode('no_such_code')],
    ['a StoreError whose code is a property of every object', () => withCode('constructor')],
    ['a StoreError without a code', () => withCode(undefined)],
  ])('returns 500 if the store throws or rejects with %s', async (_what, value) => {
    const fault = () => {
      throw value()
    }
    await expectFailure(name, fault, 'internal_error')
    await expectFailure(name, () => Promise.reject(value()), 'internal_error')
  })

  it('returns 504 and aborts the signal once if the store hangs', async () => {
    const fired = vi.fn()
    let given: { readonly signal: AbortSignal } | undefined
    const hangs: Method = (_, context) => {
      given = context
      context.signal.addEventListener('abort', fired)
      return new Promise(() => {})
    }
    await expectFailure(name, hangs, 'store_timeout')
    expect([fired.mock.calls.length, given?.signal.aborted]).toEqual([1, true])
  })

  it.each<[string, (late: ReturnType<typeof deferred<unknown>>) => void]>([
    ['returns', ({ resolve }) => resolve(outputs[name])],
    ['fails', ({ reject }) => reject(new Error(email))],
    ['returns an object that throws when it is read', ({ resolve }) => resolve(throwingProxy({}))],
    ['fails with an error that throws when it is read', ({ reject }) => reject(throwingProxy(new Error()))],
  ])('returns 504 if the time limit ends before the store %s', async (_what, settle) => {
    const late = deferred<unknown>()
    await expectFailure(name, () => late.promise, 'store_timeout')
    const unhandled = collectStrayErrors()
    settle(late)
    await new Promise(setImmediate)
    expect(unhandled).toEqual([])
  })

  it('returns 500 if the store returns a promise that throws when it is awaited', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
    const unreadable = Object.defineProperty({}, 'then', { get: trap })
    await expectFailure(name, () => unreadable, 'internal_error')
  })
})

it.each(endpointNames.filter((name) => endpoints[name].method === 'GET'))(
  'rejects an output of %s that throws when it is read, and returns no unknown fields',
  async (name) => {
    const [list] = [throwingProxy({})]
    const unreadable = { products: list, items: list, subscriptions: list, discount_type: list }
    await expectFailure(name, async () => unreadable, 'invalid_store_response')
    const output = { ...Object(outputs[name]), secret: 'secret', toJSON: () => 'secret' }
    const { call } = shopWith(name, async () =>
      Object.defineProperty(output, 'unread', { get: trap, enumerable: true }),
    )
    expect((await call()).json).toEqual({ success: true, data: outputs[name] })
  },
)

it.each(endpointNames.filter((name) => endpoints[name].method === 'POST'))(
  'rejects false and success: false as the output of %s',
  async (name) => {
    for (const output of [false, { success: false, email }])
      await expectFailure(name, async () => output, 'invalid_store_response')
  },
)

it.each([undefined, 42, [], {}, Symbol('secret'), cyclic()])(
  'ignores %s as the output of addProduct',
  async (value) => {
    const { call, reported } = shopWith('addProduct', async () => value)
    expect((await call()).text).toBe('{"success":true}')
    expect(reported).toEqual([])
  },
)

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
    const shopOf = (failed: () => Promise<void>, options = {}) =>
      shopWith('sendNow', sendNow, { keyGuesses: { failed }, ...options })
    const valid = shopOf(failing)
    expect([(await valid.call()).status, valid.reported]).toEqual([200, []])
    const others = { apiKeys: ['another-key-0001-0001'] }
    const invalid = shopOf(failing, others)
    expect([(await invalid.call()).status, invalid.reported.length]).toEqual([401, 1])
    const slow = shopOf(() => new Promise(() => {}), others)
    expect([(await slow.call()).status, (await slow.call()).status]).toEqual([401, 401])
    expect(sendNow).toHaveBeenCalledTimes(1)
  })
})
