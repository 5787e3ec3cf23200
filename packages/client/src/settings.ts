import { namesFor, type Names } from '@storeport/core'
import type { ClientOptions, Fetch } from './client-options.ts'
import { parseBaseUrl } from './parse-base-url.ts'
import { isHeaderText } from './is-header-text.ts'

/** The options of a client, checked and with every default filled in. */
export interface Settings extends Names {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly retries: number
  readonly testMode: boolean
  readonly honoursIdempotencyKey: boolean
  readonly maxAnswerBytes: number
}

/** Checks the options of a client; throws TypeError naming the option that cannot work. */
export function settingsFrom(options: ClientOptions): Settings {
  if (!isHeaderText(options.apiKey)) {
    throw new TypeError('apiKey: must be a text of visible ASCII characters that is not empty')
  }
  return {
    ...namesFor(options),
    baseUrl: parseBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    // The global is looked up at each call, so that tracing installed later sees the calls too.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? 10_000, 1, 2 ** 31 - 1),
    retries: wholeNumber('retries', options.retries ?? 2, 0, 10),
    testMode: options.testMode ?? false,
    honoursIdempotencyKey: options.honoursIdempotencyKey ?? false,
    maxAnswerBytes: wholeNumber('maxAnswerBytes', options.maxAnswerBytes ?? 1_048_576, 1, 2 ** 30),
  }
}

function wholeNumber(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new TypeError(`${option}: must be a whole number from ${least} to ${most}`)
}
