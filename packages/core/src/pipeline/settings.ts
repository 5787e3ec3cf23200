import type { IntegrationOptions } from './integration.ts'
import { checkedNumber, type Names, namesFor } from '../contract/names.ts'
import type { KeyGuessLimit, Observe } from './observe.ts'
import { createGuard, createUnguarded, type Guard } from '../retries/guard.ts'
import type { StorePort } from '../contract/store-port.ts'
import {
  checkedCurrency,
  checkedRetries,
  checkedScope,
  checkedStore,
  checkOptionTypes,
  warnOfProcesses,
} from './check-options.ts'
import { noticeOnConsole } from '../retries/runtime.ts'
import { logOnConsole, type OnError } from './failure.ts'

/** The options of an integration, checked and with their defaults filled in. */
export interface Settings extends Names {
  readonly store: StorePort
  readonly testStore: StorePort | undefined
  readonly apiKeys: readonly string[]
  /** Currency of all amounts, ISO 4217. */
  readonly currency: string
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly maxBodyBytes: number
  readonly maxQuantity: number
  readonly timeoutMs: number
  readonly maxConcurrent: number
  readonly guard: Guard
  readonly keyGuesses: KeyGuessLimit | undefined
  readonly observe: Observe | undefined
  readonly onError: OnError
}

/** Checks the options of an integration and fills in the defaults; throws TypeError for options that cannot work. */
export function settingsFrom(options: IntegrationOptions): Settings {
  checkOptionTypes(options)
  const timeoutMs = checkedNumber('timeoutMs', options.timeoutMs ?? defaultOptions.timeoutMs, 2 ** 31 - 1)
  return {
    ...namesFor(options),
    store: checkedStore('store', options.store),
    testStore: options.testStore === undefined ? undefined : checkedStore('testStore', options.testStore),
    apiKeys: options.apiKeys.filter((key) => key !== undefined).filter((key) => key !== ''),
    currency: checkedCurrency(options),
    aliases: options.aliases ?? {},
    maxBodyBytes: checkedNumber('maxBodyBytes', options.maxBodyBytes ?? defaultOptions.maxBodyBytes, 2 ** 30),
    maxQuantity: checkedNumber(
      'maxQuantity',
      options.maxQuantity ?? defaultOptions.maxQuantity,
      Number.MAX_SAFE_INTEGER,
    ),
    timeoutMs,
    maxConcurrent: checkedNumber(
      'maxConcurrent',
      options.maxConcurrent ?? defaultOptions.maxConcurrent,
      Number.MAX_SAFE_INTEGER,
    ),
    guard: guardFor(options, timeoutMs),
    keyGuesses: options.keyGuesses,
    observe: options.observe,
    onError: options.onError ?? logOnConsole,
  }
}

function guardFor(options: IntegrationOptions, timeoutMs: number): Guard {
  const scope = checkedScope(options)
  if (options.retries === false) return createUnguarded(scope)
  const retries = checkedRetries(options)
  warnOfProcesses(retries, options.store, noticeOnConsole)
  return createGuard(retries, { timeoutMs, scope, onNotice: noticeOnConsole })
}

/** The defaults of the options of an integration that are numbers; `docs` and comments name the same. */
const defaultOptions = {
  /** Time for a store method, in milliseconds. */
  timeoutMs: 10_000,
  /** Largest body, in bytes. */
  maxBodyBytes: 65_536,
  /** Largest `quantity` of one call. */
  maxQuantity: 1000,
  /** Most calls that run at once. */
  maxConcurrent: 10_000,
} as const
