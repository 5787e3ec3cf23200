import { parseArgs } from 'node:util'

/** A mistake in the words of the command that its user can correct; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** One option of the command. */
interface OptionRow {
  /** What `--help` calls its value; none for an option without one. */
  readonly value?: string
  /** What `--help` calls a file that may be left out. */
  readonly file?: string
  readonly meaning: string
}

const optionRows = {
  key: { value: 'KEY', meaning: 'the API key; better in STOREPORT_API_KEY, out of the shell history' },
  'second-key': {
    value: 'KEY',
    meaning: 'another valid key, or STOREPORT_SECOND_API_KEY: checks that keys can be rotated',
  },
  customer: { value: 'EMAIL', meaning: 'a test customer, with active subscriptions where the shop has any' },
  cancelled: { value: 'EMAIL', meaning: 'a test customer with cancelled subscriptions that can come back' },
  'other-customer': { value: 'EMAIL', meaning: 'another test customer with an active subscription' },
  code: { value: 'CODES', meaning: 'discount codes that are valid, comma separated' },
  action: { value: 'ID', meaning: 'a custom action that may be run as often as one likes' },
  save: { file: 'FILE', meaning: 'write the profile that was learned (conformance-profile.jsonc)' },
  profile: { value: 'FILE', meaning: 'says which test data the shop has (that of the reference host)' },
  init: { file: 'FILE', meaning: 'write a commented profile to fill in (conformance-profile.jsonc)' },
  'read-only': { meaning: 'send nothing that could change anything: for production' },
  stress: { meaning: 'also send bursts, parallel double clicks and slow bodies' },
  only: { value: 'WORDS', meaning: 'checks by id, topic or requirement, comma separated' },
  skip: { value: 'IDS', meaning: 'checks that are left out, by id, comma separated; the report names them' },
  list: { meaning: 'list the checks and send nothing' },
  'test-mode': { meaning: 'every call asks for the test store, whose data may be changed for good' },
  strict: { meaning: 'warnings count as failures' },
  json: { file: 'FILE', meaning: 'the report as JSON, to a file or to standard output' },
  junit: { file: 'FILE', meaning: 'the same as JUnit XML' },
  html: { file: 'FILE', meaning: 'the same as one page to look at and to send on' },
  vendor: { value: 'WORD', meaning: "the caller's word in paths and headers (integration)" },
  'base-path': { value: 'PATH', meaning: 'what every path starts with (/<vendor>)' },
  'api-key-header': { value: 'NAME', meaning: 'header of the API key (X-<Vendor>-API-Key)' },
  'test-mode-header': { value: 'NAME', meaning: 'header of the test mode (X-<Vendor>-Test-Mode)' },
  timeout: { value: 'SECONDS', meaning: 'longest wait for an answer (10)' },
  'total-timeout': { value: 'SECONDS', meaning: 'longest time for the whole run (1800)' },
  help: { meaning: 'this text' },
  version: { meaning: 'the version' },
} as const satisfies Record<string, OptionRow>

/** The name of an option, without the dashes. */
type OptionName = keyof typeof optionRows

const rows = Object.entries<OptionRow>(optionRows)

/** What `--help` says of the options, one line each. */
export function optionLines(): readonly string[] {
  const named = rows.map(([name, { value, file, meaning }]) => {
    const after = file === undefined ? (value ?? '') : `[${file}]`
    return [`--${name} ${after}`.trimEnd(), meaning] as const
  })
  const width = Math.max(...named.map(([option]) => option.length)) + 2
  return named.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`)
}

/** The words of a command, taken apart. */
export type ParsedWords = ReturnType<typeof parseWords>

const shorts: Readonly<Record<string, object>> = { help: { short: 'h' }, version: { short: 'v' } }

const options = Object.fromEntries(
  rows.map(([name, { value, file }]) => {
    const isText = value !== undefined || file !== undefined
    return [name, { type: isText ? 'string' : 'boolean', multiple: true, ...shorts[name] } as const]
  }),
)

/** Takes the words of a command apart; throws UsageError for an option that does not exist or lacks its value. */
export function parseWords(words: readonly string[]) {
  const { values, positionals } = parsed(words.map(withoutFile))
  const all = (name: OptionName): readonly string[] =>
    [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    /** What is no option. */
    others: positionals,
    has: (name: OptionName) => values[name] !== undefined,
    /** The values of an option, each as often as it occurs; an empty text for a file that is left out. */
    all,
    /** The value that counts. */
    last: (name: OptionName) => all(name).at(-1),
    /** The words of a list, comma separated. */
    list: (name: OptionName) => all(name).flatMap((list) => list.split(',').map((word) => word.trim())),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The first sentence says what is wrong; what follows is about dashes.
    const [sentence] = /^[^.\n]+/.exec(error.message) ?? []
    throw new UsageError(sentence, { cause: error })
  }
}

/** An option whose file is left out has an empty one: what follows is the address, another option or nothing. */
function withoutFile(word: string, index: number, words: readonly string[]): string {
  const isFile = rows.some(([name, { file }]) => file !== undefined && word === `--${name}`)
  const next = words[index + 1] ?? '--'
  const isLeftOut = (next.startsWith('-') && next !== '-') || /^https?:/i.test(next)
  return isFile && isLeftOut ? `${word}=` : word
}
