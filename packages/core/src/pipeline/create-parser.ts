import { compile } from '#compile'
import * as z from 'zod/mini'

/** Checks a value and answers what the schema makes of it. */
export type Parse<Output> = (value: unknown) => Output

/** Makes the parser of a schema; `refuse` receives what is wrong with a value, and throws. */
export function createParser<Output>(
  schema: z.core.$ZodType<Output>,
  refuse: (issues: readonly z.core.$ZodIssue[], value: unknown) => never,
): Parse<Output> {
  let compiled: typeof schema | undefined
  return (value) => {
    // Compiling takes longer than a hundred checks, so that an endpoint which nobody calls is left alone.
    compiled ??= compile(schema)
    const result = z.safeParse(compiled, value)
    return result.success ? result.data : refuse(result.error.issues, value)
  }
}
