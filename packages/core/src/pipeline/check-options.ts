import { endpointNames } from '../endpoints/endpoint-names.ts'
import { minorUnitDigits } from '../schemas/currency.ts'
import type { RetryOptions } from '../retries/retry-options.ts'
import type { StorePort } from '../store-port.ts'

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

/** Returns a whole number from `smallest` to `largest`; throws TypeError for anything else. */
export function checkedNumber(option: string, value: number, largest: number, smallest = 1): number {
  if (Number.isInteger(value) && value >= smallest && value <= largest) return value
  throw new TypeError(`${option}: must be a whole number from ${smallest} to ${largest}`)
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

/** Returns the options of the guard; throws TypeError for a ledger beside the one that the store brings: each would know half of the clicks. */
export function checkedRetries(retries: RetryOptions, store: StorePort): RetryOptions {
  if (retries.ledger !== undefined && store.ledger !== undefined && retries.ledger !== store.ledger)
    throw new TypeError('retries.ledger: the store brings its own ledger: leave the option out')
  return retries
}
