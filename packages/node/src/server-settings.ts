import { isLogLevel, type LogLevel, logLevels } from './log.ts'

/** Error that the user can fix; the message contains the fix. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Settings of a server. */
export interface ServerSettings {
  /** TCP port: `PORT`, or 3000. */
  readonly port: number
  /** Address to listen on: `HOST`, or `127.0.0.1`. */
  readonly host: string
  /** Accepted API keys: `STOREPORT_API_KEY`, and the comma-separated keys in `STOREPORT_API_KEYS`. */
  readonly apiKeys: readonly string[]
  /** Number of proxies whose `X-Forwarded-For` is trusted: `STOREPORT_TRUST_PROXY`, or 0. */
  readonly trustedProxies: number
  /** Minimum log level: `STOREPORT_LOG`, or `info`. */
  readonly log: LogLevel
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings of a server from environment variables; throws SettingsError for an invalid variable. */
export function readServerSettings(env: Environment): ServerSettings {
  return {
    port: readPort(env['PORT'] || '3000'),
    host: env['HOST'] || '127.0.0.1',
    apiKeys: readApiKeys(env),
    trustedProxies: readProxyCount(env['STOREPORT_TRUST_PROXY'] || '0'),
    log: readLogLevel(env['STOREPORT_LOG'] || 'info'),
  }
}

/** Returns the keys from both variables, without duplicates; throws SettingsError for an empty or short key. */
function readApiKeys({ STOREPORT_API_KEY: single, STOREPORT_API_KEYS: several }: Environment): readonly string[] {
  if (single?.trim() === '') {
    throw new SettingsError('STOREPORT_API_KEY: is empty. Set the key, or unset STOREPORT_API_KEY.')
  }
  if (single?.includes(',')) {
    throw new SettingsError('STOREPORT_API_KEY: contains a comma. Set several keys in STOREPORT_API_KEYS.')
  }
  const first = single === undefined ? [] : [single.trim()]
  // An empty list of further keys is valid, because files with settings cannot unset a variable.
  const isUnset = several === undefined || (several.trim() === '' && single !== undefined)
  const further = isUnset ? [] : splitKeys(several)
  checkKeyLengths('STOREPORT_API_KEY', first)
  checkKeyLengths('STOREPORT_API_KEYS', further)
  return [...new Set([...first, ...further])]
}

function splitKeys(text: string): readonly string[] {
  const keys = text.split(',').map((key) => key.trim())
  if (keys.every((key) => key !== '')) return keys
  throw new SettingsError('STOREPORT_API_KEYS: contains an empty key. Add the key, or unset STOREPORT_API_KEYS.')
}

/** Throws SettingsError for a short key. `createIntegration` would not name the variable. */
function checkKeyLengths(variable: string, keys: readonly string[]): void {
  if (keys.every((key) => key.length >= 16)) return
  throw new SettingsError(`${variable}: a key must have at least 16 characters`)
}

/** Reads a port; throws SettingsError. */
function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingsError(`PORT: must be a whole number from 0 to 65535, not ${JSON.stringify(text)}`)
}

function readProxyCount(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw new SettingsError(`STOREPORT_TRUST_PROXY: must be a whole number from 0 to 99, not ${JSON.stringify(text)}`)
}

function readLogLevel(text: string): LogLevel {
  if (isLogLevel(text)) return text
  throw new SettingsError(`STOREPORT_LOG: must be one of ${logLevels.join(', ')}, not ${JSON.stringify(text)}`)
}
