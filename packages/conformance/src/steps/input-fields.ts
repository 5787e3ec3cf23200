import { type Endpoint, endpointNames, endpointRow, type EndpointName } from '@storeport/core'
import * as z from 'zod/mini'

/** A value of each kind of field; an id is any text, so it is tried first. */
const samples = [
  ['id', 'x'],
  ['email', 'somebody@example.com'],
  ['date', '2026-01-31'],
  ['quantity', 1],
  ['flag', true],
] as const

/** What a field of an input holds. */
export type FieldKind = (typeof samples)[number][0]

/** A field of an input: its kind, and whether it can be left out. */
export interface InputField {
  /** What it holds. */
  readonly kind: FieldKind
  /** Whether a call without it is refused. */
  readonly required: boolean
}

type NamedFields = readonly (readonly [field: string, InputField])[]

/** The fields of each endpoint's query or body, by what their schemas take. */
const inputFields: ReadonlyMap<EndpointName, NamedFields> = new Map(
  endpointNames.map((name) => [name, readFields(endpointRow(name))]),
)

/** The fields of an endpoint by name. */
export function fieldsOf(name: EndpointName): NamedFields {
  return inputFields.get(name) ?? []
}

function readFields({ input }: Endpoint): NamedFields {
  return Object.entries(input._zod.def.shape).map(([field, schema]) => [
    field,
    { kind: kindOf(field, schema), required: !takes(schema, undefined) },
  ])
}

function kindOf(field: string, schema: z.core.$ZodType): FieldKind {
  const found = samples.find(([, value]) => takes(schema, value))
  if (found === undefined) throw new TypeError(`${field}: the kit knows no value of this field`)
  return found[0]
}

function takes(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success
}
