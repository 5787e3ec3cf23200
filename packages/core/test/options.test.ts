import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { IntegrationOptions, Ledger, StorePort } from '@storeport/core'
import { createIntegration, endpointNames, endpoints, storesClicks, memoryLedger, StoreError } from '@storeport/core'
import { key } from './support.ts'

/** Creates an integration from untyped options. Returns the message of the thrown TypeError, or `none`. */
function problemOf(options: Record<string, unknown>, store: unknown = {}): string {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- deliberately invalid
  const written = { store, apiKeys: [key], ...options } as unknown as IntegrationOptions
  try {
    createIntegration(written)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return error instanceof TypeError ? error.message : ''
  }
  return 'none'
}

describe('invalid options', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['undefined as apiKeys', { apiKeys: undefined }, 'apiKeys: must be an array of keys, such as [process.env['],
    ['a key that is not a string', { apiKeys: [5] }, 'apiKeys: must be an array of keys'],
    ['no store', { store: undefined }, 'store: must be an object with StorePort methods'],
    ['a function as the store', { store: () => ({}) }, 'store: must be an object with StorePort methods'],
    ['a promise of a store', { store: Promise.resolve({}) }, 'store: received a Promise. Add `await`.'],
    ['null as the test store', { testStore: null }, 'testStore: must be an object with StorePort methods'],
    ['a number as the vendor', { vendor: 5 }, 'vendor: must be a string'],
    ['a vendor with a space', { vendor: 'Acme Mail' }, 'vendor'],
    ['a base path without a slash', { basePath: 'integration' }, 'basePath'],
    ['a base path with a trailing slash', { basePath: '/integration/' }, 'basePath'],
    ['a header with a space', { apiKeyHeader: 'X Key' }, 'apiKeyHeader'],
    ['an alias of an unknown field', { aliases: { nothing: ['x'] } }, 'no endpoint has a field "nothing"'],
    ['an alias in use', { aliases: { discount_code: ['email'] } }, '"email" is already in use'],
    ['a time limit of 0', { timeoutMs: 0 }, 'timeoutMs: must be a whole number'],
    ['a fractional maximum quantity', { maxQuantity: 1.5 }, 'maxQuantity: must be a whole number'],
    ['the same name for both headers', { apiKeyHeader: 'X-A', testModeHeader: 'x-a' }, 'testModeHeader: must differ'],
    ['an array as aliases', { aliases: ['promo'] }, "aliases: must be an object, such as { discount_code: ['promo'] }"],
    ['an alias without a list', { aliases: { discount_code: 'promo' } }, 'aliases: must be an object, such as {'],
    ['a size with a unit', { maxBodyBytes: '64kb' }, 'maxBodyBytes: must be a whole number'],
    ['retries: true', { retries: true }, 'retries: must be false or an object, such as { ledger }'],
    ['a ledger without update', { retries: { ledger: {} } }, 'retries.ledger: must be a ledger, such as'],
    ['a scope that is not a string', { scope: 5 }, 'scope: must be a string'],
    ['an empty scope', { scope: '' }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['a scope with a colon', { scope: 'my:shop' }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['a scope that is too long', { scope: 'x'.repeat(65) }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['zero processes', { retries: { processes: 0 } }, 'retries.processes: must be a whole number'],
    ['a singular option name', { retries: { process: 1 } }, 'retries.process: did you mean processes?'],
    ['a negative window', { retries: { windows: { sendNow: -1 } } }, 'retries.windows.sendNow: must be a whole number'],
    ['a two-day window', { retries: { windows: { sendNow: 172_800_000 } } }, 'retries.windows.sendNow: must be'],
    ['a window of no endpoint', { retries: { windows: { sendnow: 5 } } }, 'windows.sendnow: did you mean sendNow'],
    ['keyGuesses without failed', { keyGuesses: {} }, 'keyGuesses: must be an object, such as { failed(call)'],
    ['an object as the observer', { observe: {} }, 'observe: must be a function, such as (call, run) => run()'],
    ['a string as onError', { onError: 'log' }, 'onError: must be a function, such as (error, summary) =>'],
    ['an option name with incorrect capitalization', { apikeys: [key] }, 'apikeys: did you mean apiKeys?'],
    ['an option name without its unit', { timeout: 5 }, 'timeout: did you mean timeoutMs?'],
  ])('rejects %s', (_what, options, message) => {
    expect(problemOf(options)).toContain(message)
  })

  it.each([undefined, null, 'x', () => {}])('rejects %s instead of options', (options) => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- deliberately invalid
    expect(() => createIntegration(options as unknown as IntegrationOptions)).toThrow(
      new TypeError('createIntegration: expected an object of options, such as { store, apiKeys }'),
    )
  })
})

it.each<[string, Record<string, unknown>]>([
  ['an unset key, because frameworks import the module during a build', { apiKeys: [undefined] }],
  ['an empty key', { apiKeys: [''] }],
  ['undefined for every option', { testStore: undefined, vendor: undefined, retries: undefined, onError: undefined }],
  ['an unknown option', { description: 'our shop' }],
  ['a scope of 64 characters', { scope: `a.b_c/d-${'0'.repeat(56)}` }],
])('accepts %s', (_what, options) => {
  expect(problemOf(options)).toBe('none')
})

describe('shared ledger', () => {
  const addProduct = async () => {}
  const memory = memoryLedger()
  const shared: Ledger = { update: (name, change) => memory.update(name, change), requiresScope: true }
  const scope = 'my-shop'
  const changes = endpointNames.filter((name) => endpoints[name].method === 'POST')
  const storesAll: StorePort = Object.fromEntries(
    changes.map((name) => [name, storesClicks<unknown>(async () => 'done')]),
  )
  const overlapping = { addProduct, changesMustNotOverlap: true }
  const scopeMissing =
    "scope: required with a shared ledger, such as scope: 'my-shop'. Two shops must not use the same scope."
  const hasOwn = 'retries.ledger: the store has its own ledger. Remove the option.'
  const noShared =
    'retries.processes: several processes need a shared ledger, such as createSqlLedger() or redisLedger()'
  const mustNotBeFalse = 'retries: must not be false, because two concurrent changes'

  it.each<[message: string, options: Record<string, unknown>, store: StorePort]>([
    [scopeMissing, { retries: { ledger: shared } }, {}],
    [scopeMissing, {}, { ledger: shared }],
    ['none', { retries: { ledger: shared }, scope }, {}],
    ['none', { scope }, { ledger: shared }],
    ['none', { retries: false }, { ledger: shared }],
    ['none', { retries: { ledger: memory } }, {}],
    [hasOwn, { retries: { ledger: memoryLedger() } }, { ledger: memory }],
    ['none', { retries: { ledger: memory } }, { ledger: memory }],
    [noShared, { retries: { processes: 2 } }, { addProduct }],
    [noShared, { retries: { processes: 2, ledger: memory } }, { addProduct }],
    ['none', { retries: { processes: 2, ledger: shared }, scope }, { addProduct }],
    ['none', { retries: { processes: 2 }, scope }, { addProduct, ledger: shared }],
    ['none', { retries: { processes: 2 } }, storesAll],
    [noShared, { retries: { processes: 2 } }, { ...storesAll, addProduct }],
    [mustNotBeFalse, { retries: false }, overlapping],
    [mustNotBeFalse, { retries: false, testStore: overlapping }, { addProduct }],
  ])('is required or rejected (decisions 1 and 30): %s (row %#)', (message, options, store) => {
    expect(problemOf(options, store)).toContain(message)
  })

  const missing =
    'storeport: Clicks are stored only in the memory of this process. With several processes, a double click can run twice. Use a shared ledger (createSqlLedger, redisLedger), or declare a single process: retries: { ledger: memoryLedger(), processes: 1 }.'

  it.each<[isRecommended: boolean, environment: string, options: Record<string, unknown>, store: StorePort]>([
    [true, 'production', {}, { addProduct }],
    [true, 'production', { retries: { ledger: memory } }, { addProduct }],
    [true, 'production', { retries: { windows: { sendNow: 0 } } }, { addProduct }],
    [true, 'production', {}, { ...storesAll, addProduct }],
    [false, 'production', { retries: { processes: 1 } }, { addProduct }],
    [false, 'production', { retries: { ledger: memory, processes: 1 } }, { addProduct }],
    [false, 'production', { retries: false }, { addProduct }],
    [false, 'production', {}, storesAll],
    [false, 'production', {}, { getDiscount: async () => null }],
    [false, 'production', {}, { addProduct, ledger: memory }],
    [false, 'production', { retries: { ledger: shared }, scope }, { addProduct }],
    [false, 'development', {}, { addProduct }],
    [false, 'test', {}, { addProduct }],
    [true, 'test', {}, overlapping],
    [false, 'test', { retries: { processes: 1 } }, overlapping],
  ])('is recommended once on the console: %s (row %#)', (isRecommended, environment, options, store) => {
    vi.stubEnv('NODE_ENV', environment)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => {
      vi.unstubAllEnvs()
      warn.mockRestore()
    })
    expect(problemOf(options, store)).toBe('none')
    expect(warn.mock.calls.flat()).toEqual(isRecommended ? [missing] : [])
  })
})

describe('store method', () => {
  class Shop {
    async sendnow() {}
  }
  class OwnShop extends Shop {
    async sendNow() {}
    async sendnew() {}
    async send() {}
    readonly listproducts = 'a field'
  }

  it.each<[string, unknown, string]>([
    ['a misspelled method of an object', { sendnow: async () => {} }, 'store.sendnow: did you mean sendNow?'],
    ['a misspelled method of a class', new Shop(), 'store.sendnow: did you mean sendNow?'],
    ['a method in capital letters', { GETDISCOUNT: async () => null }, 'store.GETDISCOUNT: did you mean getDiscount?'],
    ['other members of the store', new OwnShop(), 'none'],
    ['a method that is not a function', { sendNow: 'yes' }, 'store.sendNow: must be a function'],
  ])('is checked at creation: %s', (_what, store, message) => {
    expect(problemOf({}, store)).toContain(message)
    expect(problemOf({ testStore: store })).toContain(message.replace('store.', 'testStore.'))
  })

  it("is found without calling the store's getters", () => {
    const store = Object.defineProperty({}, 'Sendnow', { get: () => expect.unreachable(), enumerable: true })
    expect(problemOf({}, store)).toBe('none')
  })
})

it.each([
  ['payment_faild', 'Did you mean payment_failed?'],
  ['PAYMENT_FAILED', 'Did you mean payment_failed?'],
  ['card_declined', 'Use a code from the error table of the API.'],
  ['toString', 'Use a code from the error table of the API.'],
])('rejects the unknown error code %s with a hint', (code, hint) => {
  const message = new TypeError(`StoreError: ${code} is not an error code. ${hint}`)
  for (const text of [[], ['The card was declined.']])
    expect(() => Reflect.construct(StoreError, [code, ...text])).toThrow(message)
})
