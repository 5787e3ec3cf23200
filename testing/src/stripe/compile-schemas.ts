import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { StripeRequests } from './stripe-requests.ts'

/** A request that the stand-in answers: method and path, with `{id}` where the id is. */
export type StripeRequestName = keyof StripeRequests

/** A JSON Schema, as far as `schemas.json` uses it. */
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

/** The definitions made from the vendor's types. */
export const definitions = readDefinitions()

// Parameters come as text: `true`, `3`. Definitions have no defaults, so that nothing but these is changed.
const readers = new Ajv({ strict: false, coerceTypes: true, inlineRefs: false, code: { optimize: false } })
const checkers = new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } })
readers.addSchema({ definitions }, 'stripe')
checkers.addSchema({ definitions }, 'stripe')
const compiled = new Map<string, ValidateFunction>()

/** The check of a request's parameters, which also turns text into numbers and booleans, or of its answer. */
export function compileSchema(name: StripeRequestName, part: 'params' | 'answer'): ValidateFunction {
  const path = `#/definitions/StripeRequests/properties/${encodePointer(name)}/properties/${part}`
  const known = compiled.get(path)
  if (known !== undefined) return known
  // Compiled when it is asked for: all of them take a second.
  const validate = (part === 'params' ? readers : checkers).compile({ $ref: `stripe${path}` })
  compiled.set(path, validate)
  return validate
}

/** The definition that a schema refers to, or the schema itself. */
export function followReference(schema: Schema): Schema {
  const name = schema.$ref?.slice('#/definitions/'.length)
  return name === undefined ? schema : (definitions[name] ?? schema)
}

function readDefinitions(): Readonly<Record<string, Schema>> {
  const text = readFileSync(new URL('schemas.json', import.meta.url), 'utf8')
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what JSON.parse returns has no type
  const file = JSON.parse(text) as { definitions: Record<string, Schema> }
  return Object.fromEntries(Object.entries(file.definitions).map(([name, schema]) => [name, makeWhole(schema)]))
}

function encodePointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The vendor's types say `number` of whole numbers too, which all are but percentages (docs.stripe.com/currencies). */
function makeWhole(schema: Schema, name = ''): Schema {
  const whole = (type: string) => (type === 'number' && !name.includes('percent') ? 'integer' : type)
  const { type, properties, items, anyOf } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: typeof type === 'string' ? whole(type) : type.map(whole) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, makeWhole(value, key)])),
    }),
    ...(items !== undefined && { items: makeWhole(items, name) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => makeWhole(each, name)) }),
  }
}
