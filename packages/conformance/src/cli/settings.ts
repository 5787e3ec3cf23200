import { randomInt } from 'node:crypto'
import { type NameOptions, namesFor } from '@storeport/core'
import { checks, isRequirementId } from '../run/topics.ts'
import { defaultTimeoutMs, isOnThisMachine, type RunMode } from '../engine/options.ts'
import type { Exploration } from '../engine/check.ts'
import { defaultExploration } from '../explore/explore.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { type Interval, isTimeZone } from '../profile/profile.ts'
import { frameworks } from '../run/frameworks.ts'
import type { TestDataOptions } from './learn-profile.ts'
import { selectChecks } from '../run/run-checks.ts'
import { type ParsedArguments, parseArguments, UsageError } from './options.ts'
import { lastReportFile, type Output, readOutputs } from './outputs.ts'

/** Environment variables. */
type Environment = Readonly<Record<string, string | undefined>>

/** A command-line task, such as `check` or `list`, and its settings. */
export type Settings =
  | { readonly task: 'help' | 'version' }
  | { readonly task: 'explain'; readonly id: RequirementId }
  | { readonly task: 'list'; readonly mode: RunMode; readonly only: readonly string[] }
  | { readonly task: 'show'; readonly file: string; readonly outputs: readonly Output[] }
  | CheckSettings

/** Settings for checking a shop. */
export type CheckSettings = ReturnType<typeof readCheckSettings>

/** Minimum length of an API key. The letters of a shorter key also occur in responses that do not contain the key. */
const minKeyLength = 8

/** Default file of `--save`. */
const defaultProfile = 'conformance-profile.jsonc'

/** Parses command-line arguments and environment variables. Throws UsageError for a missing or invalid setting. */
export function readSettings(words: readonly string[], env: Environment): Settings {
  const parsed = parseArguments(words)
  if (parsed.has('help')) return { task: 'help' }
  if (parsed.has('version')) return { task: 'version' }
  const explained = parsed.last('explain')
  if (explained !== undefined) {
    const id = checks.find((check) => check.id === explained)?.requirements[0] ?? explained.toUpperCase()
    if (isRequirementId(id)) return { task: 'explain', id }
    throw new UsageError(
      `--explain: no requirement or check has the id ${JSON.stringify(explained)}. Run --list to see all ids`,
    )
  }
  const [task, file = lastReportFile()] = parsed.others
  if (task === 'show') return { task, file, outputs: readOutputs(parsed) }
  const mode = readMode(parsed)
  const only = readOnly(parsed)
  if (parsed.has('list')) return { task: 'list', mode, only }
  return readCheckSettings(parsed, env, mode, only)
}

function readCheckSettings(parsed: ParsedArguments, env: Environment, mode: RunMode, only: readonly string[]) {
  const names = readNames(parsed)
  const apiKey = readKey('key', parsed.last('key') ?? env['STOREPORT_API_KEY'])
  const second = (parsed.last('second-key') ?? env['STOREPORT_SECOND_API_KEY'])?.trim() || undefined
  const secondApiKey = second && readKey('second-key', second)
  const keys = [apiKey, secondApiKey ?? apiKey]
  const url = readUrl(parsed.others, env['STOREPORT_URL'], namesFor(names).basePath, keys)
  return {
    task: 'check' as const,
    url,
    apiKey,
    secondApiKey,
    names,
    explore: readExploration(parsed, url, mode),
    profile: parsed.last('profile'),
    testData: readTestData(parsed),
    save: parsed.has('save') ? parsed.last('save') || defaultProfile : undefined,
    mode,
    only,
    skip: readSkipped(parsed),
    framework: readFramework(parsed),
    testMode: parsed.has('test-mode'),
    strict: parsed.has('strict'),
    outputs: readOutputs(parsed),
    baseline: parsed.last('baseline'),
    timeoutMs: readSeconds(parsed, 'timeout', defaultTimeoutMs / 1000),
    totalTimeoutMs: readSeconds(parsed, 'total-timeout', 1800),
  }
}

function readSkipped(parsed: ParsedArguments): readonly string[] {
  const ids = parsed.list('skip')
  const unknown = ids.find((id) => !checks.some((check) => check.id === id))
  if (unknown !== undefined) throw new UsageError(`--skip: no check has the id "${unknown}". Run --list to see all ids`)
  return ids
}

/** Reads the last value of an option. Throws UsageError with the rule if the value is not valid. */
function readValid(
  parsed: ParsedArguments,
  name: 'framework' | 'interval' | 'seed' | 'time-zone' | 'timeout' | 'total-timeout',
  isValid: (text: string) => boolean,
  rule: string,
): string | undefined {
  const text = parsed.last(name)
  if (text === undefined || isValid(text)) return text
  throw new UsageError(`--${name}: must be ${rule}`)
}

const readFramework = (parsed: ParsedArguments) =>
  readValid(parsed, 'framework', (name) => Object.hasOwn(frameworks, name), Object.keys(frameworks).join(', '))

function readInterval(parsed: ParsedArguments): Interval | undefined {
  const form = /^\s*([1-9]\d?)\s*(month|week)s?\s*$/
  const rule = 'a number of months or weeks, such as 1month or 2weeks'
  const [, count, unit] = form.exec(readValid(parsed, 'interval', (text) => form.test(text), rule) ?? '') ?? []
  if (count === undefined) return undefined
  return unit === 'week' ? { weeks: Number(count) } : { months: Number(count) }
}

function readSeconds(parsed: ParsedArguments, name: 'timeout' | 'total-timeout', otherwise: number): number {
  const isValid = (text: string) => /^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= 86_400
  const text = readValid(parsed, name, isValid, 'a number of seconds greater than 0 and at most 86400')
  return Number(text ?? otherwise) * 1000
}

function readMode(parsed: ParsedArguments): RunMode {
  const isReadOnly = parsed.has('read-only')
  if (isReadOnly && parsed.has('stress')) throw new UsageError('--read-only and --stress cannot be combined')
  return isReadOnly ? 'read-only' : parsed.has('stress') ? 'stress' : 'default'
}

/** Reads the settings of the random sequences; `undefined` if the run sends none. */
function readExploration(parsed: ParsedArguments, url: string, mode: RunMode): Exploration | undefined {
  const isForced = parsed.has('explore')
  const text = readValid(parsed, 'seed', (seed) => /^\d{1,9}$/.test(seed), 'a whole number of at most 9 digits')
  if (isForced && mode === 'read-only') throw new UsageError('--explore and --read-only cannot be combined')
  if (!isForced && (mode === 'read-only' || !isOnThisMachine(new URL(url).host))) return undefined
  return { ...defaultExploration, seed: text === undefined ? randomInt(1_000_000_000) : Number(text) }
}

function readOnly(parsed: ParsedArguments): readonly string[] {
  const words = parsed.list('only')
  for (const word of words) {
    if (selectChecks({ mode: 'stress', only: [word] }).length > 0) continue
    throw new UsageError(
      `--only: no check, topic or requirement is named ${JSON.stringify(word)}. Run --list to see all names`,
    )
  }
  return words
}

function readTestData(parsed: ParsedArguments): TestDataOptions {
  const emails = (['customer', 'cancelled', 'other-customer'] as const).flatMap((name) => {
    const email = parsed.last(name)
    return email === undefined ? [] : [[name, email] as const]
  })
  for (const [name, email] of emails) {
    if (!email.includes('@')) throw new UsageError(`--${name}: ${JSON.stringify(email)} is not an email address`)
    const same = emails.find(([other, value]) => other !== name && value.toLowerCase() === email.toLowerCase())
    if (same !== undefined) throw new UsageError(`--${name} and --${same[0]} must be two different customers`)
  }
  return {
    customer: parsed.last('customer'),
    cancelled: parsed.last('cancelled'),
    otherCustomer: parsed.last('other-customer'),
    codes: parsed.list('code'),
    action: parsed.last('action'),
    timeZone: readValid(parsed, 'time-zone', isTimeZone, 'an IANA time zone name, such as Europe/Paris'),
    interval: readInterval(parsed),
  }
}

function readNames(parsed: ParsedArguments): NameOptions {
  const names = {
    vendor: parsed.last('vendor'),
    basePath: parsed.last('base-path'),
    apiKeyHeader: parsed.last('api-key-header'),
    testModeHeader: parsed.last('test-mode-header'),
  }
  try {
    namesFor(names)
    return names
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Replaces the property name at the start of the message, such as `basePath`, with the option `--base-path`.
    const name = Object.keys(names).find((key) => error.message.startsWith(key)) ?? ''
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--${option}${error.message.slice(name.length)}`, { cause: error })
  }
}

function readUrl(
  others: readonly string[],
  fromEnvironment: string | undefined,
  basePath: string,
  keys: readonly string[],
): string {
  const [text = fromEnvironment, more] = others
  if (text === undefined)
    throw new UsageError("The shop's URL is missing. Example: storeport-conformance https://shop.example")
  // Not printed: the argument may be the key.
  if (more !== undefined) throw new UsageError('Only one URL is allowed. Remove the arguments after it')
  if (keys.some((key) => [key, encodeURIComponent(key)].some((form) => text.includes(form))))
    throw new UsageError('The URL must not contain the API key. Set STOREPORT_API_KEY or use --key')
  if (!/^https?:\/\//i.test(text))
    throw new UsageError(`${JSON.stringify(text)}: a URL must start with http:// or https://`)
  if (!URL.canParse(text)) throw new UsageError(`${JSON.stringify(text)} is not a valid URL`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The URL must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') throw new UsageError('The URL must not contain ? or #')
  const base = text.replace(/\/+$/, '')
  // Removes the base path if the user entered the full URL of the API.
  return base.endsWith(basePath) && url.pathname !== '/' ? base.slice(0, -basePath.length) : base
}

function readKey(name: 'key' | 'second-key', text: string | undefined): string {
  const key = text?.trim() ?? ''
  const variable = name === 'key' ? 'STOREPORT_API_KEY' : 'STOREPORT_SECOND_API_KEY'
  if (key === '') throw new UsageError(`The API key is missing. Set ${variable} or use --${name}`)
  if (!/^[\x20-\x7e]+$/.test(key)) throw new UsageError(`--${name}: a key must contain only visible ASCII characters`)
  if (key.length >= minKeyLength) return key
  throw new UsageError(
    `--${name}: a key must have at least ${minKeyLength} characters. The kit searches responses for it`,
  )
}
