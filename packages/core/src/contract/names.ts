/** Options for the base path and the header names. */
export interface NameOptions {
  /** Name of the email platform in paths and headers, in lowercase with hyphens; default `integration`. */
  readonly vendor?: string | undefined
  /** Prefix of every path; default `/<vendor>`. */
  readonly basePath?: string | undefined
  /** Name of the header with the API key; default `X-<Vendor>-API-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** Name of the header that selects the test store; default `X-<Vendor>-Test-Mode`. */
  readonly testModeHeader?: string | undefined
}

/** The path prefix and header names of an integration. */
export interface Names {
  /** Prefix of every path. */
  readonly basePath: string
  /** Name of the header with the API key. */
  readonly apiKeyHeader: string
  /** Name of the header that selects the test store. */
  readonly testModeHeader: string
}

/** Derives the path prefix and the header names from `vendor`. Throws TypeError for an invalid name. */
export function namesFor(options: NameOptions = {}): Names {
  const vendor = options.vendor ?? 'integration'
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(vendor)) {
    throw new TypeError('vendor: must be lowercase letters and digits, with single hyphens between words')
  }
  const word = vendor.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
  const apiKeyHeader = checkedHeader('apiKeyHeader', options.apiKeyHeader ?? `X-${word}-API-Key`)
  const testModeHeader = checkedHeader('testModeHeader', options.testModeHeader ?? `X-${word}-Test-Mode`)
  if (apiKeyHeader.toLowerCase() === testModeHeader.toLowerCase())
    throw new TypeError('testModeHeader: must differ from apiKeyHeader')
  return { basePath: checkedBasePath(options.basePath ?? `/${vendor}`), apiKeyHeader, testModeHeader }
}

function checkedBasePath(path: string): string {
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(path)) return path
  throw new TypeError(
    'basePath: must be empty, or start with a slash, not end with a slash, and contain only letters, digits and / . _ ~ -',
  )
}

function checkedHeader(option: string, name: string): string {
  if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name
  throw new TypeError(`${option}: must be an HTTP header name`)
}

/** Returns `value`. Throws TypeError unless `value` is a whole number from `smallest` to `largest`. */
export function checkedNumber(option: string, value: number, largest: number, smallest = 1): number {
  if (Number.isInteger(value) && value >= smallest && value <= largest) return value
  throw new TypeError(`${option}: must be a whole number from ${smallest} to ${largest}`)
}

/** Returns the name most similar to a misspelled name; `undefined` if no name is similar. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const word = normalizeName(written)
  return (
    names.find((name) => normalizeName(name) === word) ?? names.find((name) => areSimilar(word, normalizeName(name)))
  )
}

/** Normalizes a name for comparison: converts it to lowercase, and removes hyphens and underscores. */
function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** Whether two names differ in only one place. At most two characters and a third of the length of `right` may differ. */
function areSimilar(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return Math.max(left.length, right.length) - start - end <= Math.min(2, Math.floor(right.length / 3))
}
