import { endpointNames, endpointRow } from '../contract/endpoints.ts'
import { minorUnitDigits } from '../contract/fields.ts'
import type { IntegrationOptions } from './integration.ts'
import { checkedNumber, namesFor, nearestName } from '../contract/names.ts'
import type { RetryOptions } from '../retries/retry-options.ts'
import { keepsItsClicks } from '../retries/click.ts'
import type { StorePort } from '../contract/store-port.ts'
import { isProduction } from './failure.ts'

/** Returns a store whose methods can be called; throws TypeError naming the first that cannot, or that letter case alone hides. */
export function checkedStore(option: string, store: StorePort): StorePort {
  for (const name of endpointNames) {
    const method: unknown = store[name]
    if (method !== undefined && typeof method !== 'function') {
      throw new TypeError(`${option}.${name}: must be a function, or be left out to hide the endpoint`)
    }
    const written = method === undefined ? methodLike(name, store) : undefined
    if (written !== undefined) throw new TypeError(`${option}.${written}: did you mean ${name}?`)
  }
  return store
}

/** A method of an object or of its class whose name differs by letter case; no getter is called. */
function methodLike(name: string, store: object): string | undefined {
  for (let holder: object | null = store; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    const found = Object.getOwnPropertyNames(holder).find((own) => own.toLowerCase() === name.toLowerCase())
    if (found !== undefined && isMethod(holder, found)) return found
  }
  return undefined
}

function isMethod(holder: object, name: string): boolean {
  return typeof Reflect.getOwnPropertyDescriptor(holder, name)?.value === 'function'
}

/** Who may name the currency. */
interface CurrencySources {
  readonly currency?: string | undefined
  readonly store: StorePort
  readonly testStore?: StorePort | undefined
}

/** Returns the one currency that options and stores name, else `USD`; throws TypeError for two of them and for an unknown one. */
export function checkedCurrency({ currency, store, testStore }: CurrencySources): string {
  const named = new Set([currency, store.currency, testStore?.currency].filter((code) => code !== undefined))
  const [first = 'USD', second] = named
  for (const code of [first, ...named]) minorUnitDigits(code)
  if (second !== undefined)
    throw new TypeError(`currency: is named twice, as ${first} and as ${second}: the option and the stores must agree`)
  return first
}

/** Returns the options of the guard; throws TypeError for a second ledger besides the store's: each would know half of the clicks. */
export function checkedRetries({ retries, store }: IntegrationOptions): RetryOptions {
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

/** Returns the name that separates the clicks of shops in one ledger; throws TypeError if a shared ledger has none. */
export function checkedScope(options: IntegrationOptions): string {
  const { scope, retries, store } = options
  if (scope !== undefined) {
    if (/^[\w./-]{1,64}$/.test(scope)) return scope
    throw new TypeError('scope: must be 1 to 64 letters, digits and . _ / -')
  }
  const ledger = store.ledger ?? (retries || {}).ledger
  if (retries !== false && ledger?.requiresScope === true)
    throw new TypeError(
      "scope: required with a shared ledger, such as scope: 'my-shop'. Two shops must not have the same one.",
    )
  return namesFor(options).basePath
}

/** Warns once if several processes would each remember their own clicks. */
export function warnOfProcesses(retries: RetryOptions, store: StorePort, onNotice: (notice: string) => void): void {
  if (retries.processes === 1 || !usesMemory(retries, store) || !isProduction()) return
  onNotice(
    'Clicks are remembered in the memory of this process. A second process runs a double click twice. Use a shared ledger (createSqlLedger, redisLedger), or declare a single process: retries: { ledger: memoryLedger(), processes: 1 }.',
  )
}

/** Whether any change is remembered only in the memory of this process. */
function usesMemory({ ledger }: RetryOptions, store: StorePort): boolean {
  if (store.ledger !== undefined || (ledger !== undefined && ledger.isLocal !== true)) return false
  return endpointNames.some((name) => {
    const method = store[name]
    return method !== undefined && endpointRow(name).method === 'POST' && !keepsItsClicks(method)
  })
}

/** Whether a value can be used, and what to write where it cannot. */
type Wanted = readonly [isUsable: (value: unknown) => boolean, write: string]

const store: Wanted = [isObject, 'an object with StorePort methods']
const text: Wanted = [isText, 'a text']
const number: Wanted = [(value) => typeof value === 'number', 'a whole number']

const wantedOptions: Readonly<Record<keyof IntegrationOptions, Wanted>> = {
  store,
  testStore: store,
  apiKeys: [isListOfKeys, "a list of keys, such as [process.env['STOREPORT_API_KEY']]"],
  vendor: text,
  basePath: text,
  scope: text,
  apiKeyHeader: text,
  testModeHeader: text,
  aliases: [isAliases, "an object, such as { discount_code: ['promo'] }"],
  currency: text,
  maxBodyBytes: number,
  maxQuantity: number,
  timeoutMs: number,
  retries: [(value) => value === false || isObject(value), 'false or an object, such as { ledger }'],
  maxConcurrent: number,
  keyGuesses: [(value) => has(value, 'failed'), 'an object, such as { failed(call) {} }'],
  observe: [isFunction, 'a function, such as (call, run) => run()'],
  onError: [isFunction, 'a function, such as (error, summary) => console.error(summary)'],
}

const required: readonly string[] = ['store', 'apiKeys'] satisfies (keyof IntegrationOptions)[]

/** Throws TypeError with what to write for an option of the wrong type, and for one whose name is nearly that of another. */
export function checkOptionTypes(options: IntegrationOptions): void {
  if (!isObject(options)) throw new TypeError('createIntegration: must be given an object, such as { store, apiKeys }')
  checkNames('', options, Object.keys(wantedOptions))
  for (const [name, [isUsable, write]] of Object.entries(wantedOptions)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined && !required.includes(name)) continue
    if (has(value, 'then')) throw new TypeError(`${name}: is a promise, write await before it`)
    if (!isUsable(value)) throw new TypeError(`${name}: must be ${write}`)
  }
  const { retries } = options
  if (!retries) return
  checkNames('retries.', retries, ['ledger', 'processes', 'windows'])
  if (retries.ledger !== undefined && !has(retries.ledger, 'update'))
    throw new TypeError('retries.ledger: must be a ledger, such as memoryLedger()')
  if (retries.windows !== undefined) checkNames('retries.windows.', retries.windows, endpointNames)
}

function checkNames(where: string, written: object, names: readonly string[]): void {
  for (const name of Object.keys(written)) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    if (near !== undefined) throw new TypeError(`${where}${name}: did you mean ${near}?`)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function has(value: unknown, method: string): boolean {
  return isObject(value) && typeof Reflect.get(value, method) === 'function'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isListOfKeys(value: unknown): boolean {
  return Array.isArray(value) && value.every((key) => key === undefined || isText(key))
}

function isAliases(value: unknown): boolean {
  const isList = (names: unknown) => Array.isArray(names) && names.every(isText)
  return isObject(value) && !Array.isArray(value) && Object.values(value).every(isList)
}
