import { type NameOptions, namesFor } from '@storeport/core'
import { checks } from '../run/topics.ts'
import { defaultTimeoutMs, type RunMode } from '../engine/options.ts'
import type { Told } from './learn-profile.ts'
import { selectChecks } from '../run/run-checks.ts'
import { type ParsedWords, parseWords, UsageError } from './options.ts'

/** What the command is to do. */
export type Settings =
  | { readonly task: 'help' | 'version' }
  | { readonly task: 'init'; readonly file: string }
  | { readonly task: 'list'; readonly mode: RunMode; readonly only: readonly string[] }
  | CheckSettings

/** How a shop is checked. */
export type CheckSettings = ReturnType<typeof readCheckSettings>

type Environment = Readonly<Record<string, string | undefined>>

/** A form of the report and where it goes. */
export interface Output {
  readonly form: 'json' | 'junit' | 'html'
  /** The file; `-` for standard output. */
  readonly file: string
}

/** Where `--init` writes to when no file is named. */
const defaultProfile = 'conformance-profile.jsonc'

/** Reads the words of a command and its environment; throws UsageError that says what is wrong with them. */
export function readSettings(words: readonly string[], env: Environment): Settings {
  const parsed = parseWords(words)
  if (parsed.has('help')) return { task: 'help' }
  if (parsed.has('version')) return { task: 'version' }
  if (parsed.has('init')) return { task: 'init', file: parsed.last('init') || defaultProfile }
  const mode = readMode(parsed)
  const only = readOnly(parsed)
  if (parsed.has('list')) return { task: 'list', mode, only }
  return readCheckSettings(parsed, env, mode, only)
}

function readCheckSettings(parsed: ParsedWords, env: Environment, mode: RunMode, only: readonly string[]) {
  const names = readNames(parsed)
  return {
    task: 'check' as const,
    url: readUrl(parsed.others, env['STOREPORT_URL'], namesFor(names).basePath),
    apiKey: readKey('key', parsed.last('key') ?? env['STOREPORT_API_KEY']),
    secondApiKey: readSecondKey(parsed.last('second-key') ?? env['STOREPORT_SECOND_API_KEY']),
    names,
    profile: parsed.last('profile'),
    told: readTold(parsed),
    save: parsed.has('save') ? parsed.last('save') || defaultProfile : undefined,
    mode,
    only,
    skip: readSkipped(parsed),
    testMode: parsed.has('test-mode'),
    strict: parsed.has('strict'),
    outputs: readOutputs(parsed),
    timeoutMs: readSeconds(parsed, 'timeout', defaultTimeoutMs / 1000),
    totalTimeoutMs: readSeconds(parsed, 'total-timeout', 1800),
  }
}

function readSkipped(parsed: ParsedWords): readonly string[] {
  const ids = parsed.list('skip')
  const known = new Set<string>(checks.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new UsageError(`--skip: no check has the id "${unknown}"; --list shows them`)
  return ids
}

function readMode(parsed: ParsedWords): RunMode {
  const isReadOnly = parsed.has('read-only')
  if (isReadOnly && parsed.has('stress')) throw new UsageError('--read-only and --stress: choose one of them')
  return isReadOnly ? 'read-only' : parsed.has('stress') ? 'stress' : 'default'
}

function readOnly(parsed: ParsedWords): readonly string[] {
  const words = parsed.list('only')
  for (const word of words) {
    if (selectChecks({ mode: 'stress', only: [word] }).length > 0) continue
    throw new UsageError(`--only: no check, topic or requirement is called ${JSON.stringify(word)}; --list tells them`)
  }
  return words
}

function readTold(parsed: ParsedWords): Told {
  const addresses = (['customer', 'cancelled', 'other-customer'] as const).flatMap((name) => {
    const email = parsed.last(name)
    return email === undefined ? [] : [[name, email] as const]
  })
  for (const [name, email] of addresses) {
    if (!email.includes('@')) throw new UsageError(`--${name}: ${JSON.stringify(email)} is no email address`)
    const same = addresses.find(([other, address]) => other !== name && address.toLowerCase() === email.toLowerCase())
    if (same !== undefined) throw new UsageError(`--${name} and --${same[0]}: must be two customers`)
  }
  return {
    customer: parsed.last('customer'),
    cancelled: parsed.last('cancelled'),
    otherCustomer: parsed.last('other-customer'),
    codes: parsed.list('code'),
    action: parsed.last('action'),
  }
}

function readNames(parsed: ParsedWords): NameOptions {
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
    // Its messages start with the name of the option that is wrong: `basePath` is `--base-path` here.
    const name = Object.keys(names).find((one) => error.message.startsWith(one)) ?? ''
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--${option}${error.message.slice(name.length)}`, { cause: error })
  }
}

function readUrl(others: readonly string[], fromEnvironment: string | undefined, basePath: string): string {
  const [text = fromEnvironment, more] = others
  if (text === undefined) throw new UsageError('which address? Such as: storeport-conformance https://shop.example')
  if (more !== undefined) throw new UsageError(`one address at a time: ${JSON.stringify(more)} is one too many`)
  if (!/^https?:\/\//i.test(text))
    throw new UsageError(`${JSON.stringify(text)}: an address starts with http:// or https://`)
  if (!URL.canParse(text)) throw new UsageError(`${JSON.stringify(text)}: is no address`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('the address must hold no user name and no password')
  if (url.search !== '' || url.hash !== '') throw new UsageError('the address must hold no ? and no #')
  const base = text.replace(/\/+$/, '')
  // The whole address of the API means the same.
  return base.endsWith(basePath) && url.pathname !== '/' ? base.slice(0, -basePath.length) : base
}

function readKey(name: 'key' | 'second-key', text: string | undefined): string {
  const key = text?.trim() ?? ''
  const variable = name === 'key' ? 'STOREPORT_API_KEY' : 'STOREPORT_SECOND_API_KEY'
  if (key === '') throw new UsageError(`which API key? Set ${variable}, or give --${name}`)
  if (/^[\x20-\x7e]+$/.test(key)) return key
  throw new UsageError(`--${name}: a key must consist of visible ASCII characters`)
}

function readSecondKey(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : readKey('second-key', text)
}

function readOutputs(parsed: ParsedWords): readonly Output[] {
  const outputs = (['json', 'junit', 'html'] as const).flatMap((form) =>
    parsed.all(form).map((file) => ({ form, file: file === '' ? '-' : file })),
  )
  if (outputs.filter(({ file }) => file === '-').length < 2) return outputs
  throw new UsageError(
    '--json, --junit and --html: only one of them can go to standard output; name files for the others',
  )
}

function readSeconds(parsed: ParsedWords, name: 'timeout' | 'total-timeout', otherwise: number): number {
  const text = parsed.last(name)
  if (text === undefined) return otherwise * 1000
  const seconds = Number(text)
  if (/^\d+(?:\.\d+)?$/.test(text) && seconds > 0 && seconds <= 86_400) return seconds * 1000
  throw new UsageError(`--${name}: must be a number of seconds, more than 0 and at most 86400`)
}
