import { parseArgs } from 'node:util'

/** Thrown for an invalid option or argument. The message explains how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface OptionRow {
  /** Placeholder for the value in `--help`; `undefined` for a flag. */
  readonly value?: string
  /** Placeholder for an optional file name in `--help`. */
  readonly file?: string
  readonly meaning: string
}

const optionRows = {
  key: { value: 'KEY', meaning: 'API key. To keep the key out of the shell history, set STOREPORT_API_KEY instead' },
  'second-key': {
    value: 'KEY',
    meaning: 'second valid key, to check key rotation (STOREPORT_SECOND_API_KEY)',
  },
  customer: { value: 'EMAIL', meaning: 'test customer, with active subscriptions if the shop has any' },
  cancelled: { value: 'EMAIL', meaning: 'test customer with cancelled subscriptions that can be reactivated' },
  'other-customer': { value: 'EMAIL', meaning: 'second test customer with an active subscription' },
  code: { value: 'CODES', meaning: 'valid discount codes, comma-separated' },
  action: { value: 'ID', meaning: 'custom action that may run any number of times' },
  save: { file: 'FILE', meaning: 'write the detected profile (conformance-profile.jsonc)' },
  profile: { value: 'FILE', meaning: "the shop's test data (seed data of the reference host)" },
  init: { file: 'FILE', meaning: 'write a commented profile template (conformance-profile.jsonc)' },
  'read-only': { meaning: 'send only GET, HEAD and OPTIONS requests; safe for production' },
  stress: { meaning: 'also send bursts, concurrent double clicks and slow bodies' },
  only: { value: 'WORDS', meaning: 'run only these checks, topics or requirements, comma-separated' },
  skip: { value: 'IDS', meaning: 'exclude checks by id, comma-separated; the report lists them' },
  list: { meaning: 'list the checks without sending requests' },
  'test-mode': { meaning: 'send the test-mode header with every request; test data may change permanently' },
  framework: { value: 'NAME', meaning: 'next, fastify or caddy: skip the checks that the framework answers itself' },
  'time-zone': { value: 'ZONE', meaning: "time zone of the shop's dates, such as Europe/Paris" },
  interval: { value: 'LENGTH', meaning: 'billing interval of the other customer, such as 1month or 2weeks' },
  explain: { value: 'ID', meaning: 'print a requirement with its checks and an example' },
  strict: { meaning: 'treat warnings as failures' },
  json: { file: 'FILE', meaning: 'write the report as JSON to a file or standard output' },
  junit: { file: 'FILE', meaning: 'write the report as JUnit XML' },
  html: { file: 'FILE', meaning: 'write the report as a self-contained HTML page' },
  vendor: { value: 'WORD', meaning: 'name of the email platform in paths and headers (integration)' },
  'base-path': { value: 'PATH', meaning: 'prefix of every path (/<vendor>)' },
  'api-key-header': { value: 'NAME', meaning: 'name of the API key header (X-<Vendor>-API-Key)' },
  'test-mode-header': { value: 'NAME', meaning: 'name of the test-mode header (X-<Vendor>-Test-Mode)' },
  timeout: { value: 'SECONDS', meaning: 'maximum time for one response (10)' },
  'total-timeout': { value: 'SECONDS', meaning: 'maximum time for the whole run (1800)' },
  help: { meaning: 'print this help' },
  version: { meaning: 'print the version' },
} as const satisfies Record<string, OptionRow>

/** Name of an option without the dashes. */
type OptionName = keyof typeof optionRows

const rows = Object.entries<OptionRow>(optionRows)

/** Returns the option lines of `--help`. */
export function optionLines(): readonly string[] {
  const named = rows.map(([name, { value, file, meaning }]) => {
    const after = file === undefined ? (value ?? '') : `[${file}]`
    return [`--${name} ${after}`.trimEnd(), meaning] as const
  })
  const width = Math.max(...named.map(([option]) => option.length)) + 2
  return named.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`)
}

/** Parsed command-line arguments. */
export type ParsedArguments = ReturnType<typeof parseArguments>

const shorts: Readonly<Record<string, object>> = { help: { short: 'h' }, version: { short: 'v' } }

const options = Object.fromEntries(
  rows.map(([name, { value, file }]) => {
    const hasValue = value !== undefined || file !== undefined
    return [name, { type: hasValue ? 'string' : 'boolean', multiple: true, ...shorts[name] } as const]
  }),
)

/** Parses command-line arguments. Throws UsageError for an unknown option or a missing value. */
export function parseArguments(words: readonly string[]) {
  const { values, positionals } = parsed(words.map(withEmptyFile))
  const all = (name: OptionName): readonly string[] =>
    [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    /** The positional arguments. */
    others: positionals,
    has: (name: OptionName) => values[name] !== undefined,
    /** Returns all values of an option. An omitted optional file name is an empty string. */
    all,
    /** Returns the last value of an option. */
    last: (name: OptionName) => all(name).at(-1),
    /** Returns the comma-separated values of an option. */
    list: (name: OptionName) => all(name).flatMap((list) => list.split(',').map((word) => word.trim())),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Uses only the first sentence, since the rest of the message explains arguments that start with a dash.
    const [sentence] = /^[^.\n]+/.exec(error.message) ?? []
    throw new UsageError(sentence, { cause: error })
  }
}

/** Appends `=` to an option such as `--json` if no file name follows, only a URL, another option or nothing. */
function withEmptyFile(word: string, index: number, words: readonly string[]): string {
  const isFile = rows.some(([name, { file }]) => file !== undefined && word === `--${name}`)
  const next = words[index + 1] ?? '--'
  const isLeftOut = (next.startsWith('-') && next !== '-') || /^https?:/i.test(next)
  return isFile && isLeftOut ? `${word}=` : word
}
