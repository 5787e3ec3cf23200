import { definitions, followReference, type Schema } from './compile-schemas.ts'

/**
 * Creates a resource from some of its fields; `name` is the name of its type. Sets each other required field to null if its type allows
 * null. Otherwise, sets the field to false, to an empty list or object, or to its only possible value. `writeResponse` throws for a
 * resource of another type.
 */
export function createResource<Resource extends object>(name: string, fields: Partial<Resource>): Resource {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- writeResponse checks it against the schema of this type
  return { ...emptyFields(definitions[name] ?? {}), ...fields } as Resource
}

function emptyFields({ properties = {}, required = [] }: Schema): object {
  return Object.fromEntries(required.map((name) => [name, emptyValue(properties[name] ?? {})]))
}

/** Returns the default value for a type; `undefined` for a string or a number. */
function emptyValue(reference: Schema): unknown {
  const schema = followReference(reference)
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type)
  if (types.includes('null')) return null
  if (schema.const !== undefined) return schema.const
  if (types.includes('boolean')) return false
  if (types.includes('array')) return []
  return types.includes('object') ? emptyFields(schema) : undefined
}
