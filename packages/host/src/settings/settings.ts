import { parseArgs } from 'node:util'
import {
  type EndpointName,
  endpointNames,
  endpointRow,
  isCurrency,
  isDate,
  isEndpointName,
  nearestName,
} from '@storeport/core'
import { readServerSettings, SettingsError } from '@storeport/node'

/**
 * Settings of the reference host. `meanings` describes each setting. An unset setting without a default is
 * `undefined`.
 */
export type Settings = Readonly<ReturnType<typeof settingsFrom>>

/** Meanings of all settings by option name, with the default in parentheses. */
export const meanings = {
  port: 'port to listen on (3000)',
  host: 'address to listen on (127.0.0.1)',
  'api-keys': 'accepted API keys, comma-separated, in addition to STOREPORT_API_KEY (creates and stores a key)',
  store: 'sqlite, sqlite:<file>, memory or a postgres:// URL (sqlite)',
  data: 'data folder (.storeport)',
  vendor: 'name of the email platform in paths and headers (integration)',
  currency: 'currency of all amounts, such as EUR (the currency of the database; USD for a new database)',
  timezone: "time zone of the store's date (UTC)",
  today: 'fixed date of the store, YYYY-MM-DD, for demos and tests (the current date)',
  'shop-name': 'shop name in the emails of the playground (Corner Coffee for seed data)',
  billing: 'on or off: create due orders at start and every hour (on for seed data, otherwise off)',
  paused: 'paused endpoints, which return 503, such as sendNow,addProduct, or all for all changes (none)',
  hidden: 'hidden endpoints, which return 404, such as sendNow,addProduct (none)',
  retries: 'on or off: off runs every repeated request again, for demos and tests (on)',
  playground:
    'on or off: serve the playground at /, protected by a token (on if HOST is a loopback address and NODE_ENV is not production)',
  metrics: 'host:port of the listener for /metrics (off)',
  'trust-proxy': 'number of proxies whose X-Forwarded-For is trusted (0)',
  log: 'minimum log level: trace, debug, info, warn, error, fatal or silent (info)',
  'public-url':
    'URL of the shop: prefix of image URLs, and protection of copied databases (the URL that the host listens on; no protection)',
  'previous-url': 'STOREPORT_PUBLIC_URL under which the database was last used, if the URL has changed (none)',
} as const

type Flag = keyof typeof meanings

// oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys loses the names of the keys
export const allFlags = Object.keys(meanings) as Flag[]

/** Returns the environment variable of a setting: `STOREPORT_API_KEYS` for `api-keys`. */
export function variableOf(flag: Flag): string {
  const name = flag.toUpperCase().replace('-', '_')
  return flag === 'port' || flag === 'host' ? name : `STOREPORT_${name}`
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings. An option overrides its environment variable. Throws SettingsError for an invalid setting. */
export function readSettings(args: readonly string[], env: Environment): Settings {
  return readCommand('', args, env).settings
}

/** Types of options by name. */
export type OptionTypes = Readonly<Record<string, 'boolean' | 'string'>>

/** Options of a command, besides settings. */
interface CommandOptions {
  /** Types of the options of the command. */
  readonly own?: OptionTypes
  /** Whether the command has words that are not options. */
  readonly allowsWords?: boolean
  /** Settings that are options of the command; default: all. */
  readonly flags?: readonly Flag[]
}

/** Reads the arguments of a command, and its settings; throws SettingsError. An error message starts with `prefix`. */
export function readCommand(
  prefix: string,
  args: readonly string[],
  env: Environment,
  { own, allowsWords = false, flags = allFlags }: CommandOptions = {},
) {
  const types = { ...Object.fromEntries(flags.map((flag) => [flag, 'string' as const])), ...own }
  const { positionals: words, values } = parse(prefix, args, types, allowsWords)
  /** Returns the value of an option; `undefined` if it was not given. */
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return { words, text, has: (name: string) => values[name] !== undefined, settings: settingsFrom(text, env) }
}

/** Parses options of the given types. The message for an unknown option suggests a similar option. */
function parse(prefix: string, args: readonly string[], types: OptionTypes, allowPositionals: boolean) {
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  try {
    return parseArgs({ args: [...args], options, allowPositionals })
  } catch (error) {
    const [problem = ''] = error instanceof Error ? error.message.split(/\.(?:\s|$)|\n/, 1) : []
    const [, unknown = ''] = /^Unknown option '([^']+)'/.exec(problem) ?? []
    const names = Object.keys(types).map((name) => `--${name}`)
    const hint = suggest(unknown, names)
    throw new SettingsError(
      `${prefix}${problem || 'Invalid options'}.${hint} Run storeport --help to list the options.`,
    )
  }
}

function settingsFrom(option: (flag: Flag) => string | undefined, env: Environment) {
  const read = (flag: Flag): string | undefined => option(flag) ?? env[variableOf(flag)]
  /** Returns `undefined` for an empty value. Not used for API keys, because an empty key must be rejected. */
  const optional = (flag: Flag): string | undefined => read(flag) || undefined
  /** Returns the valid text of a setting, or `undefined` if it is empty. The error shows an invalid text if `isPublic`. */
  const check = (flag: Flag, expected: string, isValid: (text: string) => boolean, isPublic = true) => {
    const text = optional(flag)
    if (text === undefined || isValid(text)) return text
    const given = isPublic ? `, not ${JSON.stringify(text)}` : ''
    throw new SettingsError(`${variableOf(flag)}: must be ${expected}${given}`)
  }
  const readSwitch = (flag: Flag) => {
    const text = check(flag, 'on or off', (word) => word === 'on' || word === 'off')
    return text === undefined ? undefined : text === 'on'
  }
  const readUrl = (flag: Flag) =>
    check(flag, 'an http(s) URL without credentials, query or fragment', isPlainUrl, false)?.replace(/\/+$/, '')
  const apiKeys = option('api-keys')
  const server = readServerSettings({
    PORT: read('port'),
    HOST: read('host'),
    STOREPORT_API_KEY: apiKeys === undefined ? env['STOREPORT_API_KEY'] : undefined,
    STOREPORT_API_KEYS: read('api-keys'),
    STOREPORT_TRUST_PROXY: read('trust-proxy'),
    STOREPORT_LOG: read('log'),
  })
  const metrics = check('metrics', 'a host and a port, such as 127.0.0.1:9464', (text) => Boolean(parseAddress(text)))
  const shopName = check('shop-name', 'a single line of at most 60 characters', isLine, false)?.trim()
  const timeZone = check('timezone', 'an IANA time zone, such as Europe/Paris', isTimeZone) ?? 'UTC'
  return {
    ...server,
    ...nameKeys(server.apiKeys, apiKeys, env),
    store: optional('store') ?? 'sqlite',
    data: optional('data') ?? '.storeport',
    vendor: optional('vendor') ?? 'integration',
    currency: check('currency', 'an ISO 4217 code in capital letters, such as USD, EUR or JPY', isCurrency, false),
    timeZone: new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone,
    today: check('today', 'a calendar date YYYY-MM-DD', isDate),
    shopName: shopName || undefined,
    billing: readSwitch('billing'),
    paused: readPaused(optional('paused')),
    hidden: readEndpoints('STOREPORT_HIDDEN', optional('hidden')),
    retries: readSwitch('retries') ?? true,
    /** By default, only on a loopback address outside production. */
    playground: readSwitch('playground') ?? (env['NODE_ENV'] !== 'production' && isLoopback(server.host)),
    metrics: metrics && parseAddress(metrics),
    publicUrl: readUrl('public-url'),
    previousUrl: readUrl('previous-url'),
    warnings: describeUnknownVariables(env),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(text) && URL.canParse(text)
}

/** Whether a shop name fits on one line of an email. */
function isLine(text: string): boolean {
  return text.trim().length <= 60 && !/[\p{Cc}\p{Cs}]/u.test(text.trim())
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** Returns the parts of a host and a port, such as `[::1]:9464`; `undefined` for another text. */
function parseAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, ipv6, name, port = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d+)$/i.exec(text) ?? []
  const host = ipv6 ?? name
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
}

interface GivenKeys {
  /** Accepted API keys; if `undefined`, the key in the data folder, which the host creates if it is missing. */
  readonly apiKeys: readonly string[] | undefined
  /** Variable that contains the first key; `undefined` for a key from an option or the data folder. */
  readonly apiKeyVariable: 'STOREPORT_API_KEY' | 'STOREPORT_API_KEYS' | undefined
  /** Variables or option that contain the API keys, for error messages. */
  readonly apiKeySource: string
}

/** Names the source of the keys, from `--api-keys` or else from both variables together. */
function nameKeys(keys: readonly string[], option: string | undefined, env: Environment): GivenKeys {
  if (option !== undefined) return { apiKeys: keys, apiKeyVariable: undefined, apiKeySource: '--api-keys' }
  const used = (['STOREPORT_API_KEY', 'STOREPORT_API_KEYS'] as const).filter((name) => env[name] !== undefined)
  if (used.length === 0) return { apiKeys: undefined, apiKeyVariable: undefined, apiKeySource: 'STOREPORT_DATA' }
  return { apiKeys: keys, apiKeyVariable: used[0], apiKeySource: used.join(' and ') }
}

/** Variables that are not in `meanings`: the single API key, and variables that the client and the kit read. */
const otherVariables = ['STOREPORT_API_KEY', 'STOREPORT_SECOND_API_KEY', 'STOREPORT_URL']

function describeUnknownVariables(env: Environment): readonly string[] {
  const names = [...otherVariables, ...allFlags.map(variableOf)]
  const unknown = Object.keys(env).filter((name) => name.startsWith('STOREPORT_') && !names.includes(name))
  return unknown.map((name) => `${name} is not a setting.${suggest(name, names)}`)
}

function readPaused(text: string | undefined): readonly EndpointName[] {
  if (text?.trim() === 'all') return endpointNames.filter((name) => endpointRow(name).method === 'POST')
  return readEndpoints('STOREPORT_PAUSED', text, ['all'])
}

/** Reads the names of endpoints; throws SettingsError for an unknown name. */
function readEndpoints(variable: string, text = '', others: readonly string[] = []): readonly EndpointName[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      if (isEndpointName(name)) return name
      const names = [...endpointNames, ...others]
      throw new SettingsError(
        `${variable}: ${JSON.stringify(name)} is not an endpoint.${suggest(name, names)} Use ${names.join(', ')}.`,
      )
    })
}

/** Replaces each environment variable in a message with the option that the user typed: `PORT` with `--port`. */
export function nameTypedOptions(message: string, args: readonly string[]): string {
  const typed = allFlags.filter((flag) => args.some((word) => word.split('=', 1)[0] === `--${flag}`))
  return typed.reduce((text, flag) => text.replace(new RegExp(`\\b${variableOf(flag)}\\b`), `--${flag}`), message)
}

/** Throws a SettingsError with the message of an error from `listen`, and the command that uses another port. */
export function throwSettingsError(error: unknown): never {
  const message = error instanceof Error ? error.message : 'The server could not listen on HOST and PORT.'
  const command = process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'npx storeport'
  const [, port] = /^port (\d+) is in use/.exec(message) ?? []
  throw new SettingsError(
    port === undefined ? message : `${message} For example: ${command} --port ${(Number(port) % 65_535) + 1}`,
  )
}

/** Runs `make`. If `make` throws a TypeError for an invalid option, throws a SettingsError that names the setting. */
export function makeFromSettings<Value>({ apiKeySource }: Pick<Settings, 'apiKeySource'>, make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const names = { apiKeys: apiKeySource, vendor: 'STOREPORT_VENDOR', currency: 'STOREPORT_CURRENCY' }
    const [option, name] = Object.entries(names).find(([word]) => error.message.startsWith(`${word}:`)) ?? ['', '']
    throw new SettingsError(name + error.message.slice(option.length))
  }
}

/** Returns a sentence that suggests a similar name, or an empty string if no name is similar. */
export function suggest(word: string, names: readonly string[]): string {
  const name = nearestName(word, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}
