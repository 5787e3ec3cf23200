import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearestName } from '@storeport/core'

/** Thrown for an invalid option or argument. The message explains how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Options with their placeholder, which a flag lacks, and their meaning. A file name in brackets may be omitted. */
const meanings = {
  key: ['KEY', 'API key. To keep the key out of the shell history, set STOREPORT_API_KEY instead'],
  'second-key': ['KEY', 'second valid key, to check key rotation (STOREPORT_SECOND_API_KEY)'],
  customer: ['EMAIL', 'test customer, with active subscriptions if the shop has any'],
  cancelled: ['EMAIL', 'test customer with cancelled subscriptions that can be reactivated'],
  'other-customer': ['EMAIL', 'second test customer with an active subscription'],
  code: ['CODES', 'valid discount codes, comma-separated'],
  action: ['ID', 'custom action that is safe to run repeatedly'],
  'time-zone': ['ZONE', "time zone of the shop's dates, such as Europe/Paris"],
  interval: ['LENGTH', 'billing interval of --other-customer, such as 1month or 2weeks'],
  save: ['[FILE]', 'write the detected profile with examples of the missing fields (conformance-profile.jsonc)'],
  profile: ['FILE', "file with the shop's test data (the reference host's seed data)"],
  'read-only': ['', 'send only GET, HEAD and OPTIONS requests; safe for production'],
  stress: ['', 'also send bursts of requests, concurrent duplicate clicks and slow request bodies'],
  explore: ['', 'compare random sequences of changes with a model (default on this machine)'],
  seed: ['NUMBER', 'seed of the random sequences (random; the JSON report contains it)'],
  only: ['WORDS', 'run only these checks, topics or requirements, comma-separated'],
  skip: ['IDS', 'exclude checks by id, comma-separated; the report lists them'],
  framework: [
    'NAME',
    'next, fastify, express, hono, worker, nginx, caddy or php: exclude checks of requests that it handles itself',
  ],
  list: ['', 'list the checks without sending requests'],
  explain: ['ID', 'print a requirement by its id or by a check, with its checks'],
  'test-mode': ['', 'send the test-mode header with every request; test data may change permanently'],
  strict: ['', 'treat warnings as failures'],
  json: ['[FILE]', 'write the report as JSON to a file or standard output'],
  junit: ['[FILE]', 'write the report as JUnit XML'],
  baseline: ['FILE', 'known failures: only others fail the run, and a listed one that holds is an error'],
  vendor: ['WORD', 'name of the email platform in paths and headers (integration)'],
  'base-path': ['PATH', 'prefix of every path (/<vendor>)'],
  'api-key-header': ['NAME', 'name of the API key header (X-<Vendor>-API-Key)'],
  'test-mode-header': ['NAME', 'name of the test-mode header (X-<Vendor>-Test-Mode)'],
  timeout: ['SECONDS', 'maximum time for one response (10)'],
  'total-timeout': ['SECONDS', 'maximum time for the whole run (1800)'],
  help: ['', 'print this help'],
  version: ['', 'print the version'],
} as const satisfies Record<string, readonly [value: string, meaning: string]>

/** Name of an option without the dashes. */
type OptionName = keyof typeof meanings

const rows = Object.entries<readonly [value: string, meaning: string]>(meanings)

/** Titles of the groups of options, by the first option of the group. */
const titles: Readonly<Record<string, string>> = {
  key: 'Shop and test data',
  'read-only': 'Checks',
  json: 'Reports',
  vendor: 'Names and limits',
}

/** Returns the option lines of `--help`, in groups and in at most 100 columns. */
export function optionLines(): readonly string[] {
  return rows.flatMap(([name, [value, meaning]]) => {
    const [first = '', ...rest] = meaning.match(/\S.{0,69}(?= |$)/g) ?? []
    return [
      ...(titles[name] === undefined ? [] : ['', `${titles[name]}:`]),
      `  ${`--${name} ${value}`.padEnd(27)}${first}`,
      ...rest.map((line) => `${' '.repeat(29)}${line}`),
    ]
  })
}

const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
  rows.map(([name, [value]]) => [name, { type: value === '' ? 'boolean' : 'string', multiple: true }]),
)
const withShorts = {
  ...options,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** Parsed command-line arguments. */
export type ParsedArguments = ReturnType<typeof parseArguments>

/** Parses command-line arguments. Throws UsageError for an unknown option or a missing value. */
export function parseArguments(words: readonly string[]) {
  const { values, positionals } = parsed(words.map(withEmptyFile))
  const found = new Map<string, unknown>(Object.entries(values))
  const all = (name: OptionName): readonly string[] =>
    [found.get(name)].flat().filter((value) => typeof value === 'string')
  return {
    /** The positional arguments. */
    others: positionals,
    has: (name: OptionName) => found.has(name),
    /** Returns all values of an option. If an optional file name is omitted, its value is an empty string. */
    all,
    /** Returns the last value of an option. */
    last: (name: OptionName) => all(name).at(-1),
    /** Returns all values of an option, split at commas. */
    list: (name: OptionName) => all(name).flatMap((list) => list.split(',').map((word) => word.trim())),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: withShorts, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Uses only the first sentence. The rest of the message is about arguments that start with a dash.
    const [sentence] = /^[^.\n]+/.exec(error.message) ?? []
    const [, unknown = ''] = /^Unknown option '--([^']+)'/.exec(error.message) ?? []
    const similar = nearestName(unknown, Object.keys(options))
    throw new UsageError(`${sentence}${similar === undefined ? '' : `. Did you mean --${similar}?`}`, { cause: error })
  }
}

/** Appends `=` to an option such as `--json` if its file name is omitted, so that `parseArgs` accepts the option. */
function withEmptyFile(word: string, index: number, words: readonly string[]): string {
  const isFile = rows.some(([name, [value]]) => value === '[FILE]' && word === `--${name}`)
  const next = words[index + 1] ?? '--'
  const isLeftOut = (next.startsWith('-') && next !== '-') || /^https?:/i.test(next)
  return isFile && isLeftOut ? `${word}=` : word
}
