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
    ['a promise of a test store', { testStore: Promise.resolve({}) }, 'testStore: received a Promise. Add `await`.'],
    ['null as the test store', { testStore: null }, 'testStore: must be an object with StorePort methods'],
    ['a number as the vendor', { vendor: 5 }, 'vendor: must be a string'],
    ['a vendor with a space', { vendor: 'Acme Mail' }, 'vendor'],
    ['a base path without a slash', { basePath: 'integration' }, 'basePath'],
    ['a base path with a trailing slash', { basePath: '/integration/' }, 'basePath'],
    ['a header with a space', { apiKeyHeader: 'X Key' }, 'apiKeyHeader'],
    ['an alias of an unknown field', { aliases: { nothing: ['x'] } }, 'no endpoint has a field "nothing"'],
    ['an alias in use', { aliases: { discount_code: ['email'] } }, '"email" is already in use'],
    ['a time limit of 0', { timeoutMs: 0 }, 'timeoutMs: must be a whole number'],
    ['a fractional number of bytes', { maxBodyBytes: 1.5 }, 'maxBodyBytes: must be a whole number'],
    ['a maximum quantity of 0', { maxQuantity: 0 }, 'maxQuantity: must be a whole number'],
    ['an array as the base path', { basePath: ['/a'] }, 'basePath: must be a string'],
    ['the same name for both headers', { apiKeyHeader: 'X-A', testModeHeader: 'x-a' }, 'testModeHeader: must differ'],
    ['an array as aliases', { aliases: ['promo'] }, "aliases: must be an object, such as { discount_code: ['promo'] }"],
    ['an alias without a list', { aliases: { discount_code: 'promo' } }, 'aliases: must be an object, such as {'],
    ['a size with a unit', { maxBodyBytes: '64kb' }, 'maxBodyBytes: must be a whole number'],
    ['retries: true', { retries: true }, 'retries: must be false or an object, such as { ledger }'],
    ['a ledger factory', { retries: { ledger: () => ({}) } }, 'retries.ledger: must be a ledger, such as'],
    ['a ledger without update', { retries: { ledger: {} } }, 'retries.ledger: must be a ledger, such as'],
    ['a scope that is not a string', { scope: 5 }, 'scope: must be a string'],
    ['an empty scope', { scope: '' }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['a scope with a colon', { scope: 'my:shop' }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['a scope that is too long', { scope: 'x'.repeat(65) }, 'scope: must be 1 to 64 letters, digits and . _ / -'],
    ['zero processes', { retries: { processes: 0 } }, 'retries.processes: must be a whole number'],
    ['a word as processes', { retries: { processes: 'one' } }, 'retries.processes: must be a whole number'],
    ['a singular option name', { retries: { process: 1 } }, 'retries.process: did you mean processes?'],
    ['a negative window', { retries: { windows: { sendNow: -1 } } }, 'retries.windows.sendNow: must be a whole number'],
    ['a two-day window', { retries: { windows: { sendNow: 172_800_000 } } }, 'retries.windows.sendNow: must be'],
    [
      'a window of no endpoint',
      { retries: { windows: { sendnow: 5 } } },
      'retries.windows.sendnow: did you mean sendNow',
    ],
    ['keyGuesses without failed', { keyGuesses: {} }, 'keyGuesses: must be an object, such as { failed(call)'],
    ['an object as the observer', { observe: {} }, 'observe: must be a function, such as (call, run) => run()'],
    ['a string as onError', { onError: 'log' }, 'onError: must be a function, such as (error, summary) =>'],
    ['an option name with incorrect capitalization', { apikeys: [key] }, 'apikeys: did you mean apiKeys?'],
    ['an option name with an underscore', { api_keys: [key] }, 'api_keys: did you mean apiKeys?'],
    ['an option name with a missing letter', { retrys: false }, 'retrys: did you mean retries?'],
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

describe('valid options', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an unset key, because frameworks import the module during a build', { apiKeys: [undefined] }],
    ['an empty key', { apiKeys: [''] }],
    ['undefined for every option', { testStore: undefined, vendor: undefined, retries: undefined, onError: undefined }],
    ['an unknown option', { description: 'our shop' }],
    ['retries turned off', { retries: false }],
    ['a scope of 64 characters', { scope: `a.b_c/d-${'0'.repeat(56)}` }],
  ])('accepts %s', (_what, options) => {
    expect(problemOf(options)).toBe('none')
  })
})

describe('shared ledger', () => {
  const addProduct = async () => {}
  const memory = memoryLedger()
  const shared: Ledger = { update: (name, change) => memory.update(name, change), requiresScope: true }
  const keepsAll: StorePort = Object.fromEntries(
    endpointNames
      .filter((name) => endpoints[name].method === 'POST')
      .map((name) => [name, storesClicks<unknown>(async () => 'done')]),
  )
  const scopeMissing =
    "scope: required with a shared ledger, such as scope: 'my-shop'. Two shops must not use the same scope."

  it('requires a scope (decision 1)', () => {
    expect(problemOf({ retries: { ledger: shared } })).toBe(scopeMissing)
    expect(problemOf({}, { ledger: shared })).toBe(scopeMissing)
    expect(problemOf({ retries: { ledger: shared }, scope: 'my-shop' })).toBe('none')
    expect(problemOf({ scope: 'my-shop' }, { ledger: shared })).toBe('none')
    expect(problemOf({ retries: false }, { ledger: shared })).toBe('none')
    expect(problemOf({ retries: { ledger: memory } })).toBe('none')
  })

  it('cannot be combined with a second ledger (decision 30)', () => {
    const message = 'retries.ledger: the store has its own ledger. Remove the option.'
    expect(problemOf({ retries: { ledger: memoryLedger() } }, { ledger: memory })).toBe(message)
    expect(problemOf({ retries: { ledger: memory } }, { ledger: memory })).toBe('none')
  })

  it('is required if retries.processes is greater than 1', () => {
    const message =
      'retries.processes: several processes need a shared ledger, such as createSqlLedger() or redisLedger()'
    expect(problemOf({ retries: { processes: 2 } }, { addProduct })).toBe(message)
    expect(problemOf({ retries: { processes: 2, ledger: memory } }, { addProduct })).toBe(message)
    expect(problemOf({ retries: { processes: 2, ledger: shared }, scope: 'my-shop' }, { addProduct })).toBe('none')
    expect(problemOf({ retries: { processes: 2 }, scope: 'my-shop' }, { addProduct, ledger: shared })).toBe('none')
    expect(problemOf({ retries: { processes: 2 } }, keepsAll)).toBe('none')
    expect(problemOf({ retries: { processes: 2 } }, { ...keepsAll, addProduct })).toBe(message)
  })

  /** Creates an integration with a value of `NODE_ENV`. Returns the logged warnings. */
  function warningsOf(environment: string, options: Record<string, unknown>, store: StorePort): unknown[] {
    vi.stubEnv('NODE_ENV', environment)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => {
      vi.unstubAllEnvs()
      warn.mockRestore()
    })
    expect(problemOf(options, store)).toBe('none')
    const lines = warn.mock.calls.flat()
    warn.mockClear()
    return lines
  }

  const missing =
    'storeport: Clicks are stored only in the memory of this process. With several processes, a double click can run twice. Use a shared ledger (createSqlLedger, redisLedger), or declare a single process: retries: { ledger: memoryLedger(), processes: 1 }.'

  it.each<[string, Record<string, unknown>, StorePort]>([
    ['the default ledger', {}, { addProduct }],
    ['a memory ledger', { retries: { ledger: memory } }, { addProduct }],
    ['only the option windows', { retries: { windows: { sendNow: 0 } } }, { addProduct }],
    ['one method without storesClicks', {}, { ...keepsAll, addProduct }],
  ])('is recommended once in production for %s', (_what, options, store) => {
    expect(warningsOf('production', options, store)).toEqual([missing])
  })

  it.each<[string, string, Record<string, unknown>, StorePort]>([
    ['processes: 1', 'production', { retries: { processes: 1 } }, { addProduct }],
    ['processes: 1 and a ledger', 'production', { retries: { ledger: memory, processes: 1 } }, { addProduct }],
    ['retries turned off', 'production', { retries: false }, { addProduct }],
    ['storesClicks for all methods', 'production', {}, keepsAll],
    ['a read-only store', 'production', {}, { getDiscount: async () => null }],
    ["the store's own ledger", 'production', {}, { addProduct, ledger: memory }],
    ['a shared ledger', 'production', { retries: { ledger: shared }, scope: 'my-shop' }, { addProduct }],
    ['NODE_ENV=development', 'development', {}, { addProduct }],
    ['NODE_ENV=test', 'test', {}, { addProduct }],
  ])('is not recommended for %s', (_what, environment, options, store) => {
    expect(warningsOf(environment, options, store)).toEqual([])
  })

  it('is recommended in every environment, and retries: false is rejected, for a store with changesMustNotOverlap', () => {
    const store = { addProduct, changesMustNotOverlap: true }
    expect(warningsOf('test', {}, store)).toEqual([missing])
    expect(warningsOf('test', { retries: { processes: 1 } }, store)).toEqual([])
    const message = 'retries: must not be false, because two concurrent changes'
    expect(problemOf({ retries: false }, store)).toContain(message)
    expect(problemOf({ retries: false, testStore: store }, { addProduct })).toContain(message)
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

describe('StoreError', () => {
  it.each<[string, string]>([
    ['payment_faild', 'StoreError: payment_faild is not an error code. Did you mean payment_failed?'],
    ['PAYMENT_FAILED', 'StoreError: PAYMENT_FAILED is not an error code. Did you mean payment_failed?'],
    ['card_declined', 'StoreError: card_declined is not an error code. Use a code from the error table of the API.'],
    ['toString', 'StoreError: toString is not an error code. Use a code from the error table of the API.'],
  ])('rejects the unknown error code %s with a hint', (code, message) => {
    const make = (text?: string) => Reflect.construct(StoreError, text === undefined ? [code] : [code, text])
    expect(make).toThrow(new TypeError(message))
    expect(() => make('The card was declined.')).toThrow(new TypeError(message))
  })
})
