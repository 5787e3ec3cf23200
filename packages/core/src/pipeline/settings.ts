import type { IntegrationOptions } from './integration.ts'
import { checkedNumber, namesFor } from '../contract/names.ts'
import { createGuard, createUnguarded, type Guard } from '../retries/guard.ts'
import {
  checkedCurrency,
  checkedRetries,
  checkedScope,
  checkedStore,
  checkOptionTypes,
  checkUnguarded,
  warnOfMemoryLedger,
} from './check-options.ts'
import { noticeOnConsole } from '../retries/runtime.ts'
import { logOnConsole } from './failure.ts'

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
    isPaused: options.isPaused ?? (() => undefined),
    onError: options.onError ?? logOnConsole,
  }
}

function guardFor(options: IntegrationOptions, scope: string, timeoutMs: number): Guard {
  if (options.retries === false) {
    checkUnguarded(options)
    return createUnguarded(scope)
  }
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
