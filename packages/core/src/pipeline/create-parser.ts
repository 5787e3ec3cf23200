import { compile } from '#compile'
import * as z from 'zod/mini'

/** Checks a value and answers what the schema makes of it; what else is known of the value serves to say what is wrong with it. */
export type Parse<Output, Known = void> = (value: unknown, known: Known) => Output

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
