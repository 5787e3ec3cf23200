import { type NameOptions, namesFor, type Names } from '@storeport/core'
import type { ClientOptions } from './client.ts'

type Filled = {
  readonly [Option in Exclude<keyof ClientOptions, keyof NameOptions>]: NonNullable<ClientOptions[Option]>
}

/** The options of a client, checked and with every default filled in. */
export interface Settings extends Names, Filled {}

/** Checks the options of a client; throws TypeError naming the option that cannot work. */
export function readSettings(options: ClientOptions): Settings {
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

/** Whether a value can be sent as a header as it is: visible ASCII, at least one character. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

/** The base URL without its trailing slashes; the TypeError for one that cannot be one does not repeat it. */
function parseBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError('baseUrl: must be an absolute URL such as https://shop.example/api')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('baseUrl: must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl: must not hold a user name or password')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl: must not hold a query or fragment')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

function wholeNumber(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new TypeError(`${option}: must be a whole number from ${least} to ${most}`)
}
