import { type NameOptions, namesFor, type Names } from '@storeport/core'
import type { ClientOptions } from './client.ts'

type RequiredOptions = {
  readonly [Option in Exclude<keyof ClientOptions, keyof NameOptions>]: NonNullable<ClientOptions[Option]>
}

/** Validated options of a client, with defaults. */
export interface Settings extends Names, RequiredOptions {}

/** Validates the options of a client and adds defaults; throws a TypeError that names an invalid option. */
export function readSettings(options: ClientOptions): Settings {
  if (!isHeaderText(options.apiKey)) {
    throw new TypeError('apiKey: must be a non-empty string of visible ASCII characters')
  }
  return {
    ...namesFor(options),
    baseUrl: parseBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    // Reads the global `fetch` for each request, because a tracing library may replace `fetch` later.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs: requireInteger('timeoutMs', options.timeoutMs ?? 10_000, 1, 2 ** 31 - 1),
    retries: requireInteger('retries', options.retries ?? 2, 0, 10),
    testMode: options.testMode ?? false,
    honoursIdempotencyKey: options.honoursIdempotencyKey ?? false,
    maxResponseBytes: requireInteger('maxResponseBytes', options.maxResponseBytes ?? 1_048_576, 1, 2 ** 30),
  }
}

/** Whether a value can be sent as a header: a non-empty string of visible ASCII characters. */
export function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

/** Removes trailing slashes. Throws a TypeError that omits an invalid URL, because the URL may contain credentials. */
function parseBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError('baseUrl: must be an absolute URL such as https://shop.example/api')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('baseUrl: must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl: must not contain credentials')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl: must not contain a query or fragment')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

function requireInteger(option: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new TypeError(`${option}: must be an integer from ${min} to ${max}`)
}
