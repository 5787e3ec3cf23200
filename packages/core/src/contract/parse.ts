import { compile } from '#compile'
import * as z from 'zod/mini'
import { nearestName } from './names.ts'

/** Checks a value and answers what the schema makes of it; what else is known of the value serves to say what is wrong with it. */
type Parse<Output, Known = void> = (value: unknown, known: Known) => Output

/** The compiled form of each schema that was used, shared by all integrations of a process. */
const compiledSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/** Makes the parser of a schema; `refuse` receives what is wrong with a value, and throws. */
export function createParser<Output, Known = void>(
  schema: z.core.$ZodType<Output>,
  refuse: (issues: readonly z.core.$ZodIssue[], value: unknown, known: Known) => never,
): Parse<Output, Known> {
  let compiled: typeof schema | undefined
  return (value, known) => {
    // Compiling takes longer than a hundred checks, so that an endpoint which nobody calls is left alone.
    compiled ??= compileOnce(schema)
    const result = z.safeParse(compiled, value)
    return result.success ? result.data : refuse(result.error.issues, value, known)
  }
}

function compileOnce<Output>(schema: z.core.$ZodType<Output>): z.core.$ZodType<Output> {
  const known = compiledSchemas.get(schema)
  // oxlint-disable-next-line typescript/consistent-type-assertions -- kept under the very schema of that output
  if (known !== undefined) return known as z.core.$ZodType<Output>
  const compiled = compile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled
}

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
