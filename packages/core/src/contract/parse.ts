import { compile } from '#compile'
import * as z from 'zod/mini'
import { nearestName } from './names.ts'

/** Returns whether a value is a list. Never throws. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Returns whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Compiled schemas by their source schema, shared by all integrations in a process. */
const compiledSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/**
 * Creates the function that validates a value. Compiles the schema on first use, because compilation takes longer than a
 * hundred validations. Throws only if a getter or a proxy in the value throws.
 */
export function createParser<Output>(schema: z.core.$ZodType<Output>) {
  let compiled: typeof schema | undefined
  return (value: unknown) => z.safeParse((compiled ??= compileOnce(schema)), value)
}

/** Creates a parser that returns the parsed output in `data`, or `undefined` for an invalid value. Never throws. */
export function createTryParser(schema: z.core.$ZodType): (value: unknown) => { readonly data: unknown } | undefined {
  const parse = createParser(schema)
  return (value) => {
    try {
      const result = parse(value)
      return result.success ? result : undefined
    } catch {
      return undefined
    }
  }
}

function compileOnce<Output>(schema: z.core.$ZodType<Output>): z.core.$ZodType<Output> {
  const known = compiledSchemas.get(schema)
  // oxlint-disable-next-line typescript/consistent-type-assertions -- stored under the schema of that output
  if (known !== undefined) return known as z.core.$ZodType<Output>
  const compiled = compile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled
}

/** Maximum number of fields in one error message. */
const maxFieldsNamed = 3

/** Maximum number of unknown names that are compared with a missing field. */
const maxNamesCompared = 50

/** Names from a request that an error message may contain. */
const safeName = /^[\w-]{1,40}$/

/**
 * Returns a one-line message that names the invalid fields and the expected values. For a missing field, the message
 * includes an unknown name from the request that is probably a misspelling of the field.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  checked: unknown,
  unknownNames: readonly string[] = [],
): string {
  const lines = issues.slice(0, maxFieldsNamed).map((issue) => {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(checked, issue.path) === undefined
    const message = missing ? `is required${describeMisspelling(path, unknownNames)}` : issue.message
    return path === '' ? message : `${path}: ${message}`
  })
  return lines.join('; ')
}

function describeMisspelling(field: string, unknownNames: readonly string[]): string {
  const name = nearestName(
    field,
    unknownNames.slice(0, maxNamesCompared).filter((sent) => safeName.test(sent)),
  )
  return name === undefined ? '' : ` (received ${name})`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value)
}
