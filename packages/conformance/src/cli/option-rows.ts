/** One option of the command. */
export interface OptionRow {
  /** What follows it: nothing, a value, or a file that may be left out. */
  readonly takes: 'nothing' | 'value' | 'file'
  /** What `--help` calls its value. */
  readonly value?: string
  /** What `--help` says about it. */
  readonly meaning: string
}

/** Every option by its name; `--help` and the reader read this table. */
export const optionRows = {
  key: { takes: 'value', value: 'KEY', meaning: 'the API key; better in STOREPORT_API_KEY, out of the shell history' },
  'second-key': {
    takes: 'value',
    value: 'KEY',
    meaning: 'another valid key, or STOREPORT_SECOND_API_KEY: checks that keys can be rotated',
  },
  customer: {
    takes: 'value',
    value: 'EMAIL',
    meaning: 'a test customer, with active subscriptions where the shop has any',
  },
  cancelled: {
    takes: 'value',
    value: 'EMAIL',
    meaning: 'a test customer with cancelled subscriptions that can come back',
  },
  neighbour: { takes: 'value', value: 'EMAIL', meaning: 'another test customer with an active subscription' },
  code: { takes: 'value', value: 'CODES', meaning: 'discount codes that are valid, comma separated' },
  action: { takes: 'value', value: 'ID', meaning: 'a custom action that may be run as often as one likes' },
  save: { takes: 'file', value: 'FILE', meaning: 'write the profile that was learned (conformance-profile.jsonc)' },
  profile: { takes: 'value', value: 'FILE', meaning: 'says which test data the shop has (that of the reference host)' },
  init: { takes: 'file', value: 'FILE', meaning: 'write a commented profile to fill in (conformance-profile.jsonc)' },
  'read-only': { takes: 'nothing', meaning: 'send nothing that could change anything: for production' },
  stress: { takes: 'nothing', meaning: 'also send bursts, parallel double clicks and slow bodies' },
  only: { takes: 'value', value: 'WORDS', meaning: 'checks by id, topic or requirement, comma separated' },
  skip: {
    takes: 'value',
    value: 'IDS',
    meaning: 'checks that are left out, by id, comma separated; the report names them',
  },
  list: { takes: 'nothing', meaning: 'list the checks and send nothing' },
  'test-mode': { takes: 'nothing', meaning: 'every call asks for the test store, whose data may be changed for good' },
  strict: { takes: 'nothing', meaning: 'warnings count as failures' },
  json: { takes: 'file', value: 'FILE', meaning: 'the report as JSON, to a file or to standard output' },
  junit: { takes: 'file', value: 'FILE', meaning: 'the same as JUnit XML' },
  html: { takes: 'file', value: 'FILE', meaning: 'the same as one page to look at and to send on' },
  vendor: { takes: 'value', value: 'WORD', meaning: "the caller's word in paths and headers (integration)" },
  'base-path': { takes: 'value', value: 'PATH', meaning: 'what every path starts with (/<vendor>)' },
  'api-key-header': { takes: 'value', value: 'NAME', meaning: 'header of the API key (X-<Vendor>-API-Key)' },
  'test-mode-header': { takes: 'value', value: 'NAME', meaning: 'header of the test mode (X-<Vendor>-Test-Mode)' },
  timeout: { takes: 'value', value: 'SECONDS', meaning: 'longest wait for an answer (10)' },
  'total-timeout': { takes: 'value', value: 'SECONDS', meaning: 'longest time for the whole run (1800)' },
  help: { takes: 'nothing', meaning: 'this text' },
  version: { takes: 'nothing', meaning: 'the version' },
} as const satisfies Record<string, OptionRow>

/** The name of an option, without the dashes. */
export type OptionName = keyof typeof optionRows

/** Whether a word is the name of an option. */
export function isOptionName(word: string): word is OptionName {
  return Object.hasOwn(optionRows, word)
}
