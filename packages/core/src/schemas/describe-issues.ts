import type * as z from 'zod/mini'

/** The most that one message names; more would not help a reader. */
const mostNamed = 3

/** Says in one line which fields are wrong and what they must be; a field that is not there `is required`. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], checked: unknown): string {
  const lines = issues.slice(0, mostNamed).map((issue) => {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(checked, issue.path) === undefined
    const message = missing ? 'is required' : issue.message
    return path === '' ? message : `${path}: ${message}`
  })
  return lines.join('; ')
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  }, value)
}
