import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { StripeRequests } from './stripe-requests.ts'

/** Method and path of a supported request, with `{id}` as a placeholder. */
export type StripeRequestName = keyof StripeRequests

/** The subset of JSON Schema that `schemas.json` uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}

/** JSON Schema definitions, generated from the types in the `stripe` package. */
export const definitions = readDefinitions()

// Coerces parameters, which are received as strings.
const readers = new Ajv({ strict: false, coerceTypes: true, inlineRefs: false, code: { optimize: false } })
const checkers = new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } })
readers.addSchema({ definitions }, 'stripe')
checkers.addSchema({ definitions }, 'stripe')
const compiled = new Map<string, ValidateFunction>()

/**
 * Returns a validator for the parameters or the response of a request. A validator for parameters also coerces strings.
 */
export function compileSchema(name: StripeRequestName, part: 'params' | 'answer'): ValidateFunction {
  const path = `#/definitions/StripeRequests/properties/${encodePointer(name)}/properties/${part}`
  const known = compiled.get(path)
  if (known !== undefined) return known
  // Compiled on first use, because compiling all schemas takes a second.
  const validate = (part === 'params' ? readers : checkers).compile({ $ref: `stripe${path}` })
  compiled.set(path, validate)
  return validate
}

/** Returns the definition that a schema references, or the schema itself if it contains no reference. */
export function followReference(schema: Schema): Schema {
  const name = schema.$ref?.slice('#/definitions/'.length)
  return name === undefined ? schema : (definitions[name] ?? schema)
}

function readDefinitions(): Readonly<Record<string, Schema>> {
  const text = readFileSync(new URL('schemas.json', import.meta.url), 'utf8')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- JSON.parse returns any
  const file = JSON.parse(text) as { definitions: Record<string, Schema> }
  return Object.fromEntries(Object.entries(file.definitions).map(([name, schema]) => [name, useIntegers(schema)]))
}

function encodePointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** Replaces `number` with `integer`, except for percentages. Amounts are integers (docs.stripe.com/currencies). */
function useIntegers(schema: Schema, name = ''): Schema {
  const toInteger = (type: string) => (type === 'number' && !name.includes('percent') ? 'integer' : type)
  const { type, properties, items, anyOf } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: typeof type === 'string' ? toInteger(type) : type.map(toInteger) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, useIntegers(value, key)])),
    }),
    ...(items !== undefined && { items: useIntegers(items, name) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => useIntegers(each, name)) }),
  }
}

/** Serializes a response. Throws if a bug in the stand-in caused a response that does not match its `stripe` type. */
export function writeResponse(name: StripeRequestName, response: unknown): string {
  const text = JSON.stringify(response)
  const validate = compileSchema(name, 'answer')
  if (validate(JSON.parse(text))) return text
  const [first] = validate.errors ?? []
  throw new Error(`The stand-in returned an invalid response for ${name}: ${first?.instancePath} ${first?.message}`)
}
