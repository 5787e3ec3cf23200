import { endpointNames } from '../endpoints/endpoint-names.ts'
import type { IntegrationOptions } from '../integration.ts'
import { nearestName } from '../nearest-name.ts'

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
