import { compile } from '#compile'
import * as z from 'zod/mini'
import { nearestName } from './names.ts'

/** Validates a value and returns the parsed output. Passes `known` to the `reject` function of `createParser`. */
type Parse<Output, Known = void> = (value: unknown, known: Known) => Output

/** Compiled schemas by their source schema, shared by all integrations in a process. */
const compiledSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/** Creates a parser for a schema. For an invalid value, the parser calls `reject`, which must throw. */
export function createParser<Output, Known = void>(
  schema: z.core.$ZodType<Output>,
  reject: (issues: readonly z.core.$ZodIssue[], value: unknown, known: Known) => never,
): Parse<Output, Known> {
  let compiled: typeof schema | undefined
  return (value, known) => {
    // Compiles the schema on first use, because compilation takes longer than a hundred validations.
    compiled ??= compileOnce(schema)
    const result = z.safeParse(compiled, value)
    return result.success ? result.data : reject(result.error.issues, value, known)
  }
}

/** Creates a parser that returns the parsed output in `data`, or `undefined` for an invalid value. Never throws. */
export function createTryParser(schema: z.core.$ZodType): (value: unknown) => { readonly data: unknown } | undefined {
  let compiled: typeof schema | undefined
  return (value) => {
    compiled ??= compileOnce(schema)
    try {
      const result = z.safeParse(compiled, value)
      return result.success ? result : undefined
    } catch {
      // A getter or a proxy in the value threw.
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
  return path.reduce<unknown>((at, key) => {
    return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  }, value)
}
