import { parseArgs } from 'node:util'
import { isCalendarDate, isCurrency } from '@storeport/core'

/** How the reference host is set up; each setting is an environment variable and a flag of the same name (`STOREPORT_DATA`, `--data`). */
export interface Settings {
  /** TCP port; 0 takes any free one. */
  readonly port: number
  /** Address or name to listen on. */
  readonly host: string
  /** Keys given from outside; none: the host makes one and keeps it. */
  readonly apiKeys: readonly string[] | undefined
  /** Where the data is: `sqlite`, `memory` or a `postgres://` URL. */
  readonly store: string
  /** Folder of what the host keeps. */
  readonly data: string
  /** The caller's word in paths and header names. */
  readonly vendor: string
  /** Currency of every amount, ISO 4217; none: the database's, or that of a new one. */
  readonly currency: string | undefined
  /** Time zone whose date is the store's. */
  readonly timeZone: string
  /** The store's date `YYYY-MM-DD`, instead of the real one. */
  readonly today: string | undefined
  /** Whether the host makes the orders that are due; none: where the data is its own seed. */
  readonly billing: boolean | undefined
  /** Name of the shop, as the sender of the emails that the playground shows; none: that of the seed, or the address's host name. */
  readonly shopName: string | undefined
  /** Whether a repeat of a call is answered without running it again. */
  readonly retries: boolean
  /** Whether the page that shows the emails is served at `/`. */
  readonly playground: boolean
  /** Where the counts are served, on a listener of their own; none: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Proxies in front of the host whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
  /** Least level that is logged. */
  readonly log: string
  /** What image links start with; none: the address it listens on. */
  readonly publicUrl: string | undefined
}

interface Row {
  /** Environment variable. */
  readonly variable: string
  /** What `--help` says. */
  readonly meaning: string
}

/** Every setting by its flag; `--help` and the reader read this table. */
export const settingRows = {
  port: { variable: 'PORT', meaning: 'port to listen on (3000)' },
  host: { variable: 'HOST', meaning: 'address to listen on (127.0.0.1)' },
  'api-keys': { variable: 'STOREPORT_API_KEYS', meaning: 'accepted keys, comma separated (one is made and kept)' },
  store: { variable: 'STOREPORT_STORE', meaning: 'sqlite, sqlite:<file>, memory or a postgres:// URL (sqlite)' },
  data: { variable: 'STOREPORT_DATA', meaning: 'folder of what the host keeps (.storeport)' },
  vendor: { variable: 'STOREPORT_VENDOR', meaning: "the caller's word in paths and headers (integration)" },
  currency: {
    variable: 'STOREPORT_CURRENCY',
    meaning: "currency of every amount, as in EUR (the database's; USD for a new one)",
  },
  timezone: { variable: 'STOREPORT_TIMEZONE', meaning: "time zone of the store's date (UTC)" },
  today: { variable: 'STOREPORT_TODAY', meaning: "the store's date YYYY-MM-DD, for demos and tests" },
  'shop-name': {
    variable: 'STOREPORT_SHOP_NAME',
    meaning: 'name of the shop in the emails of the playground (Corner Coffee over its own seed)',
  },
  billing: {
    variable: 'STOREPORT_BILLING',
    meaning: 'on or off: makes the orders that are due, at start and every hour (on over its own seed alone)',
  },
  retries: { variable: 'STOREPORT_RETRIES', meaning: 'off runs every repeat of a call, for demos and tests (on)' },
  playground: {
    variable: 'STOREPORT_PLAYGROUND',
    meaning:
      'on or off: who opens the page acts with the key, so it opens with a token (on where HOST is this machine and NODE_ENV is not production)',
  },
  metrics: { variable: 'STOREPORT_METRICS', meaning: 'host:port of a listener that serves /metrics (none)' },
  'trust-proxy': {
    variable: 'STOREPORT_TRUST_PROXY',
    meaning: 'number of proxies whose X-Forwarded-For is trusted (0)',
  },
  log: { variable: 'STOREPORT_LOG', meaning: 'least level that is logged: trace to fatal, or silent (info)' },
  'public-url': {
    variable: 'STOREPORT_PUBLIC_URL',
    meaning: 'what image links start with (the address it listens on)',
  },
} as const satisfies Record<string, Row>

type Flag = keyof typeof settingRows

/** Reads the settings: a flag counts before its environment variable; throws SettingsError naming the one that is wrong. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const flags = parseFlags(args)
  const read = (flag: Flag): string | undefined => flags[flag] ?? env[settingRows[flag].variable]
  /** An empty variable counts as not set, except where that would be dangerous. */
  const optional = (flag: Flag): string | undefined => read(flag) || undefined
  const host = optional('host') ?? '127.0.0.1'
  return {
    port: readPort(optional('port') ?? '3000'),
    host,
    apiKeys: readKeys(read('api-keys')),
    store: optional('store') ?? 'sqlite',
    data: optional('data') ?? '.storeport',
    vendor: optional('vendor') ?? 'integration',
    currency: readCurrency(optional('currency')),
    timeZone: readTimeZone(optional('timezone') ?? 'UTC'),
    today: readDate(optional('today')),
    shopName: readShopName(optional('shop-name')),
    billing: readOptionalSwitch('STOREPORT_BILLING', optional('billing')),
    retries: readSwitch('STOREPORT_RETRIES', optional('retries') ?? 'on'),
    playground: readPlayground(optional('playground'), host, env['NODE_ENV']),
    metrics: readMetrics(optional('metrics')),
    trustedProxies: readCount('STOREPORT_TRUST_PROXY', optional('trust-proxy') ?? '0'),
    log: readLevel(optional('log') ?? 'info'),
    publicUrl: readUrl(optional('public-url')),
  }
}

function parseFlags(args: readonly string[]): Partial<Record<Flag, string>> {
  const options = Object.fromEntries(Object.keys(settingRows).map((flag) => [flag, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new SettingsError(
      error instanceof Error ? `${error.message.split('\n', 1)[0]} (see storeport --help)` : 'flags',
    )
  }
}

/** Reads whether there is a playground: by default where only this machine gets in, and nobody calls it production. */
export function readPlayground(text: string | undefined, host: string, mode: string | undefined): boolean {
  return readSwitch('STOREPORT_PLAYGROUND', text ?? (mode !== 'production' && isLoopback(host) ? 'on' : 'off'))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingsError('PORT: must be a whole number from 0 to 65535')
}

function readMetrics(text: string | undefined): Settings['metrics'] {
  if (text === undefined) return undefined
  const [, ipv6, name, port = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d+)$/i.exec(text) ?? []
  const host = ipv6 ?? name
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) }
  throw new SettingsError('STOREPORT_METRICS: must be a host and a port, such as 127.0.0.1:9464')
}

function readKeys(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const keys = text.split(',').map((key) => key.trim())
  if (keys.every((key) => key !== '')) return keys
  throw new SettingsError('STOREPORT_API_KEYS: is set but holds an empty key; unset it to have one made')
}

function readCurrency(code: string | undefined): string | undefined {
  if (code === undefined || isCurrency(code)) return code
  throw new SettingsError('STOREPORT_CURRENCY: must be a code of ISO 4217 in capital letters, such as USD, EUR or JPY')
}

function readTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw new SettingsError('STOREPORT_TIMEZONE: must be the name of a time zone, such as Europe/Paris')
  }
}

function readDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDate(text)) return text
  throw new SettingsError('STOREPORT_TODAY: must be a date of the form YYYY-MM-DD')
}

/** Reads the name of a shop, which stands in a line of an email; throws SettingsError. */
export function readShopName(text: string | undefined): string | undefined {
  const name = text?.trim() || undefined
  if (name === undefined || (name.length <= 60 && !/[\p{Cc}\p{Cs}]/u.test(name))) return name
  throw new SettingsError('STOREPORT_SHOP_NAME: must be at most 60 characters, in one line')
}

function readSwitch(variable: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new SettingsError(`${variable}: must be on or off`)
}

function readOptionalSwitch(variable: string, text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : readSwitch(variable, text)
}

function readCount(variable: string, text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw new SettingsError(`${variable}: must be a whole number from 0 to 99`)
}

function readLevel(text: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
  if (levels.includes(text)) return text
  throw new SettingsError(`STOREPORT_LOG: must be one of ${levels.join(', ')}`)
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new SettingsError('STOREPORT_PUBLIC_URL: must be an http(s) address without credentials, query or fragment')
}

/** Something that the person who starts the host can fix; its message says how. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Throws a failure to listen as one that the person who starts the host can fix. */
export function throwSettingsError(error: unknown): never {
  throw new SettingsError(error instanceof Error ? error.message : 'the server could not listen')
}

/** Makes something out of settings; throws SettingsError where the options of a package are refused with a TypeError. */
export function makeFromSettings<Value>(make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError(error.message)
    throw error
  }
}
