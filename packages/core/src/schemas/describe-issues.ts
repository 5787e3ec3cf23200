import type * as z from 'zod/mini'
import { nearestName } from '../nearest-name.ts'

/** The most that one message names; more would not help a reader. */
const mostNamed = 3

/** Most unknown names among which a misspelt one is looked for. */
const mostCompared = 50

/** What a message may repeat of what a caller sent. */
const repeatable = /^[\w-]{1,40}$/

/**
 * Says in one line which fields are wrong and what they must be; a field that is not there `is required`, and of the unknown names
 * that came in its place the one that is probably meant is named.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  checked: unknown,
  unknownNames: readonly string[] = [],
): string {
  const lines = issues.slice(0, mostNamed).map((issue) => {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(checked, issue.path) === undefined
    const message = missing ? `is required${misspelt(path, unknownNames)}` : issue.message
    return path === '' ? message : `${path}: ${message}`
  })
  return lines.join('; ')
}

function misspelt(field: string, unknownNames: readonly string[]): string {
  const name = nearestName(
    field,
    unknownNames.slice(0, mostCompared).filter((sent) => repeatable.test(sent)),
  )
  return name === undefined ? '' : `, you sent ${name}`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  }, value)
}
