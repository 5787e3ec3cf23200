/** How the caller's word appears on the wire. */
export interface NameOptions {
  /** The caller's word in paths and header names, lower case with hyphens; default `integration`. */
  readonly vendor?: string | undefined
  /** What every path starts with; default `/<vendor>`. */
  readonly basePath?: string | undefined
  /** Header that carries the API key; default `X-<Vendor>-API-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** Header that asks for the test store; default `X-<Vendor>-Test-Mode`. */
  readonly testModeHeader?: string | undefined
}

/** The path prefix and header names of one caller. */
export interface Names {
  /** What every path starts with. */
  readonly basePath: string
  /** Header that carries the API key. */
  readonly apiKeyHeader: string
  /** Header that asks for the test store. */
  readonly testModeHeader: string
}

/** Derives path prefix and header names from the caller's word; throws TypeError for a name that HTTP cannot carry. */
export function namesFor(options: NameOptions = {}): Names {
  const vendor = options.vendor ?? 'integration'
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(vendor)) {
    throw new TypeError('vendor: must be lower-case letters and digits, with single hyphens between words')
  }
  const word = vendor.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
  const apiKeyHeader = checkedHeader('apiKeyHeader', options.apiKeyHeader ?? `X-${word}-API-Key`)
  const testModeHeader = checkedHeader('testModeHeader', options.testModeHeader ?? `X-${word}-Test-Mode`)
  if (apiKeyHeader.toLowerCase() === testModeHeader.toLowerCase())
    throw new TypeError('testModeHeader: must be another header than apiKeyHeader')
  return { basePath: checkedBasePath(options.basePath ?? `/${vendor}`), apiKeyHeader, testModeHeader }
}

function checkedBasePath(path: string): string {
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(path)) return path
  throw new TypeError(
    'basePath: must be empty or start with a slash, end without one, and hold letters, digits, . _ ~ - only',
  )
}

function checkedHeader(option: string, name: string): string {
  if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return name
  throw new TypeError(`${option}: must be an HTTP header name`)
}

/** Returns a whole number from `smallest` to `largest`; throws TypeError for anything else. */
export function checkedNumber(option: string, value: number, largest: number, smallest = 1): number {
  if (Number.isInteger(value) && value >= smallest && value <= largest) return value
  throw new TypeError(`${option}: must be a whole number from ${smallest} to ${largest}`)
}

/** The one of several names that a misspelt one probably means; `undefined` when none is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const word = plain(written)
  return names.find((name) => plain(name) === word) ?? names.find((name) => areNear(word, plain(name)))
}

/** Letter case, hyphens and underscores are what is confused most. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** Whether two names differ in one place, by two letters at most: less of a short name. */
function areNear(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return Math.max(left.length, right.length) - start - end <= Math.min(2, Math.floor(right.length / 3))
}
