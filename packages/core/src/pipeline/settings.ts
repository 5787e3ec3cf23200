import { endpointNames, endpointRow } from '../contract/endpoints.ts'
import { minorUnitDigits } from '../contract/money.ts'
import type { IntegrationOptions } from './integration.ts'
import { checkedNumber, namesFor, nearestName } from '../contract/names.ts'
import { createGuard, createUnguarded, type Guard, type RetryOptions } from '../retries/guard.ts'
import { storesOwnClicks } from '../retries/click.ts'
import type { StorePort } from '../contract/store-port.ts'
import { isProduction, logOnConsole } from './failure.ts'
import { noticeOnConsole } from '../retries/runtime.ts'
import { isObject } from '../contract/schemas.ts'

/** The validated options of an integration, with defaults. */
export type Settings = Readonly<ReturnType<typeof settingsFrom>>

/** Validates the options of an integration and adds the defaults. Throws TypeError for invalid options. */
export function settingsFrom(options: IntegrationOptions) {
  checkOptionTypes(options)
  const number = (name: keyof typeof defaultOptions, largest: number) =>
    checkedNumber(name, options[name] ?? defaultOptions[name], largest)
  const timeoutMs = number('timeoutMs', 2 ** 31 - 1)
  const scope = checkedScope(options)
  return {
    ...namesFor(options),
    store: checkedStore('store', options.store),
    testStore: options.testStore === undefined ? undefined : checkedStore('testStore', options.testStore),
    apiKeys: options.apiKeys.filter((key) => key !== undefined).filter((key) => key !== ''),
    currency: checkedCurrency(options),
    aliases: options.aliases ?? {},
    maxBodyBytes: number('maxBodyBytes', 2 ** 30),
    maxQuantity: number('maxQuantity', Number.MAX_SAFE_INTEGER),
    timeoutMs,
    maxConcurrent: number('maxConcurrent', Number.MAX_SAFE_INTEGER),
    scope,
    guard: guardFor(options, scope, timeoutMs),
    keyGuesses: options.keyGuesses,
    observe: options.observe,
    onClick: options.onClick,
    isPaused: options.isPaused,
    onError: options.onError ?? logOnConsole,
  }
}

/** Defaults of the numeric options. The docs and the comments of `IntegrationOptions` repeat these values. */
const defaultOptions = {
  timeoutMs: 10_000,
  maxBodyBytes: 65_536,
  maxQuantity: 1000,
  maxConcurrent: 10_000,
} as const

function guardFor(options: IntegrationOptions, scope: string, timeoutMs: number): Guard {
  if (options.retries === false) {
    checkUnguarded(options)
    return createUnguarded(scope)
  }
  const retries = checkedRetries(options)
  warnOfMemoryLedger(retries, options.store)
  return createGuard(retries, scope, timeoutMs)
}

/** Validates the methods of a store. Throws TypeError for a method that is not a function or whose name has the wrong letter case. */
function checkedStore(option: string, store: StorePort): StorePort {
  for (const name of endpointNames) {
    const method: unknown = store[name]
    if (method !== undefined && typeof method !== 'function') {
      throw new TypeError(`${option}.${name}: must be a function. Omit it to hide the endpoint.`)
    }
    const written = method === undefined ? findMisspelledMethod(name, store) : undefined
    if (written !== undefined) throw new TypeError(`${option}.${written}: did you mean ${name}?`)
  }
  return store
}

/** Finds a method of an object or of its class whose name differs from `name` only in letter case. Does not call getters. */
function findMisspelledMethod(name: string, store: object): string | undefined {
  for (let holder: object | null = store; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    const found = Object.getOwnPropertyNames(holder).find((own) => own.toLowerCase() === name.toLowerCase())
    if (found !== undefined && isMethod(holder, found)) return found
  }
  return undefined
}

function isMethod(holder: object, name: string): boolean {
  return typeof Reflect.getOwnPropertyDescriptor(holder, name)?.value === 'function'
}

/** Returns the currency of the options and stores, or `USD`. Throws TypeError for invalid or conflicting currencies. */
function checkedCurrency({ currency, store, testStore }: IntegrationOptions): string {
  const named = new Set([currency, store.currency, testStore?.currency].filter((code) => code !== undefined))
  const [first = 'USD', second] = named
  for (const code of [first, ...named]) minorUnitDigits(code)
  if (second !== undefined)
    throw new TypeError(
      `currency: conflicting currencies ${first} and ${second}. The option and the stores must use the same currency.`,
    )
  return first
}

/** Validates the option `retries`. Throws TypeError for a second ledger, which would contain only some clicks. */
function checkedRetries({ retries, store }: IntegrationOptions): RetryOptions {
  const { ledger, processes } = retries || {}
  if (ledger !== undefined && store.ledger !== undefined && ledger !== store.ledger)
    throw new TypeError('retries.ledger: the store has its own ledger. Remove the option.')
  if (processes !== undefined) checkedNumber('retries.processes', processes, Number.MAX_SAFE_INTEGER)
  if (processes !== undefined && processes > 1 && usesMemory({ ledger }, store))
    throw new TypeError(
      'retries.processes: several processes need a shared ledger, such as createSqlLedger() or redisLedger()',
    )
  return retries || {}
}

/** Returns the scope, which separates the clicks of shops in a ledger. Throws TypeError for an invalid scope. */
function checkedScope(options: IntegrationOptions): string {
  const { scope, retries, store } = options
  if (scope !== undefined) {
    if (/^[\w./-]{1,64}$/.test(scope)) return scope
    throw new TypeError('scope: must be 1 to 64 letters, digits and . _ / -')
  }
  const ledger = store.ledger ?? (retries || {}).ledger
  if (retries !== false && ledger?.requiresScope === true)
    throw new TypeError(
      "scope: required with a shared ledger, such as scope: 'my-shop'. Two shops must not use the same scope.",
    )
  return namesFor(options).basePath
}

/** Throws TypeError for `retries: false` if the store needs the order of a ledger. */
function checkUnguarded({ store, testStore }: IntegrationOptions): void {
  if (store.changesMustNotOverlap !== true && testStore?.changesMustNotOverlap !== true) return
  throw new TypeError(
    'retries: must not be false, because two concurrent changes of a customer can damage each other in this store',
  )
}

/**
 * Warns if clicks are stored only in memory and `processes` is not 1. Warns only in production, unless concurrent changes
 * can damage each other in the store.
 */
function warnOfMemoryLedger(retries: RetryOptions, store: StorePort): void {
  if (retries.processes === 1 || !usesMemory(retries, store)) return
  if (!isProduction() && store.changesMustNotOverlap !== true) return
  noticeOnConsole(
    'Clicks are stored only in the memory of this process. With several processes, a double click can run twice. Use a shared ledger (createSqlLedger, redisLedger), or declare a single process: retries: { ledger: memoryLedger(), processes: 1 }.',
  )
}

/** Whether at least one method has clicks that are stored only in the memory of this process. */
function usesMemory({ ledger }: RetryOptions, store: StorePort): boolean {
  if (store.ledger !== undefined || (ledger !== undefined && ledger.isLocal !== true)) return false
  return endpointNames.some((name) => {
    const method = store[name]
    return method !== undefined && endpointRow(name).method === 'POST' && !storesOwnClicks(method)
  })
}

/** Type check of an option, and the expected value for the error message. */
type OptionType = readonly [isValid: (value: unknown) => boolean, expected: string]

const store: OptionType = [isObject, 'an object with StorePort methods']
const string: OptionType = [isString, 'a string']
const number: OptionType = [(value) => typeof value === 'number', 'a whole number']

const optionTypes: Readonly<Record<keyof IntegrationOptions, OptionType>> = {
  store,
  testStore: store,
  apiKeys: [isListOfKeys, "an array of keys, such as [process.env['STOREPORT_API_KEY']]"],
  vendor: string,
  basePath: string,
  scope: string,
  apiKeyHeader: string,
  testModeHeader: string,
  aliases: [isAliases, "an object, such as { discount_code: ['promo'] }"],
  currency: string,
  maxBodyBytes: number,
  maxQuantity: number,
  timeoutMs: number,
  retries: [(value) => value === false || isObject(value), 'false or an object, such as { ledger }'],
  maxConcurrent: number,
  keyGuesses: [(value) => has(value, 'failed'), 'an object, such as { failed(call) {} }'],
  onClick: [isFunction, 'a function, such as (record) => store.recordClick(record)'],
  isPaused: [isFunction, "a function, such as (operation) => operation === 'sendNow' ? 'paused' : undefined"],
  observe: [isFunction, 'a function, such as (call, run) => run()'],
  onError: [isFunction, 'a function, such as (error, summary) => console.error(summary)'],
}

const required: readonly string[] = ['store', 'apiKeys'] satisfies (keyof IntegrationOptions)[]

/** Checks the names and types of options. Throws TypeError with the expected type or the correct name. */
function checkOptionTypes(options: IntegrationOptions): void {
  if (!isObject(options))
    throw new TypeError('createIntegration: expected an object of options, such as { store, apiKeys }')
  checkNames('', options, Object.keys(optionTypes))
  for (const [name, [isValid, expected]] of Object.entries(optionTypes)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined && !required.includes(name)) continue
    if (has(value, 'then')) throw new TypeError(`${name}: received a Promise. Add \`await\`.`)
    if (!isValid(value)) throw new TypeError(`${name}: must be ${expected}`)
  }
  const { retries } = options
  if (!retries) return
  checkNames('retries.', retries, ['ledger', 'processes', 'windows'])
  if (retries.ledger !== undefined && !has(retries.ledger, 'update'))
    throw new TypeError('retries.ledger: must be a ledger, such as memoryLedger()')
  if (retries.windows !== undefined) checkNames('retries.windows.', retries.windows, endpointNames)
}

function checkNames(prefix: string, written: object, names: readonly string[]): void {
  for (const name of Object.keys(written)) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    if (near !== undefined) throw new TypeError(`${prefix}${name}: did you mean ${near}?`)
  }
}

function has(value: unknown, method: string): boolean {
  return isObject(value) && typeof Reflect.get(value, method) === 'function'
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isListOfKeys(value: unknown): boolean {
  return Array.isArray(value) && value.every((key) => key === undefined || isString(key))
}

function isAliases(value: unknown): boolean {
  const isList = (names: unknown) => Array.isArray(names) && names.every(isString)
  return isObject(value) && !Array.isArray(value) && Object.values(value).every(isList)
}
