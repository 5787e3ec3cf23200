import { StoreError } from '../errors.ts'

/**
 * Reads the known names out of a query; unknown ones are ignored, whatever they hold.
 *
 * A literal `+` stays a plus. Throws StoreError `invalid_request` for a known name that occurs twice or is not well encoded.
 */
export function readQuery(query: string, known: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  if (query === '') return values
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const sent = decoded(equals === -1 ? pair : pair.slice(0, equals))
    // Not a set: it would hash each name that is sent, and what is found is the known name, by which V8 finds fields at once.
    const name = known.find((each) => each === sent)
    if (name === undefined) continue
    if (Object.hasOwn(values, name)) throw new StoreError('invalid_request', `${name}: must be sent only once`)
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1))
    if (value === undefined) throw new StoreError('invalid_request', `${name}: must be percent-encoded UTF-8`)
    values[name] = value
  }
  return values
}

/** All names of a query that are well encoded. */
export function namesInQuery(query: string): readonly string[] {
  return query.split('&').flatMap((pair) => decoded(pair.split('=', 1)[0] ?? '') ?? [])
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
