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
  warnOfMemoryLedger,
} from './check-options.ts'
import { noticeOnConsole } from '../retries/runtime.ts'
import { logOnConsole, type OnError } from './failure.ts'

/** The validated options of an integration, with defaults. */
export interface Settings extends Names {
  readonly store: StorePort
  readonly testStore: StorePort | undefined
  readonly apiKeys: readonly string[]
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

/** Validates the options of an integration and adds the defaults. Throws TypeError for invalid options. */
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
  warnOfMemoryLedger(retries, options.store, noticeOnConsole)
  return createGuard(retries, { timeoutMs, scope, onNotice: noticeOnConsole })
}

/** Defaults of the numeric options. The docs and the comments of `IntegrationOptions` repeat these values. */
const defaultOptions = {
  timeoutMs: 10_000,
  maxBodyBytes: 65_536,
  maxQuantity: 1000,
  maxConcurrent: 10_000,
} as const
