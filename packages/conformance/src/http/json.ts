import type * as z from 'zod/mini'

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value that a text of JSON holds; `undefined` for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
}

/** What a value must be, in a few words, by what a schema finds wrong with it; what the schema says itself comes first. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message !== 'Invalid input') return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined ? `must be ${oneOf(issue.options)}` : 'has no known form'
    case 'unrecognized_keys':
      return `must not hold ${issue.keys.join(', ')}`
    default:
      return 'is not valid'
  }
}

function oneOf(values: Iterable<unknown>): string {
  return [...values].map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' or ')
}
