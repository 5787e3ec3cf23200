import type * as z from 'zod/mini'
import { createParser, describeIssues } from '../contract/parse.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpointNames, endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import { Email } from '../contract/fields.ts'
import { namesInQuery, parseBody, readQuery } from '../http/read-request.ts'
import type { CheckedInput } from '../retries/click.ts'
import type { EndpointName } from '../contract/store-port.ts'

/** Alternative names of fields in requests, by field name. */
export type Aliases = Readonly<Record<string, readonly string[]>>

/** Reads the input of a request from its query or body. Throws StoreError for an invalid input. */
export type ReadInput = (queryOrBody: string) => CheckedInput

/** Field values as sent, with the names in the request as keys. */
type Sent = Readonly<Record<string, unknown>>

/** Creates the input reader of each endpoint. Throws TypeError for an alias of an unknown field and for an alias that is already in use. */
export function createInputReaders(maxQuantity: number, aliases: Aliases): Readonly<Record<EndpointName, ReadInput>> {
  checkAliases(aliases)
  return forEachEndpoint((name) => {
    const row = endpointRow(name)
    const fields = wireNamesOf(row, aliases)
    const known = fields.map(({ wireName }) => wireName)
    const validate = createValidator(row, fields, known, maxQuantity)
    if (row.method === 'POST') {
      return (json) => {
        const body = parseBody(json)
        return validate(body, () => Object.keys(body))
      }
    }
    const emails = fields.flatMap(({ wireName, isEmail }) => (isEmail ? [wireName] : []))
    return (query) => validate(readQuery(query, known, emails), () => namesInQuery(query))
  })
}

/** Name of a field in a request: the field name or an alias. */
interface WireName {
  readonly wireName: string
  readonly field: string
  /** Whether the value is an email address, in which a `+` in a query is a plus. */
  readonly isEmail: boolean
  /** Whether the value is a string that can be absent. An empty string then counts as absent. */
  readonly isOptionalString: boolean
}

function wireNamesOf(row: Endpoint, aliases: Aliases): readonly WireName[] {
  return Object.entries(row.input._zod.def.shape).flatMap(([field, schema]) => {
    const names = new Set([field, ...(row.aliases?.[field] ?? []), ...(aliases[field] ?? [])])
    const value = withoutOptional(schema)
    const isEmail = value === Email
    const isOptionalString = schema._zod.optin === 'optional' && value._zod.def.type === 'string'
    return Array.from(names, (wireName) => ({ wireName, field, isEmail, isOptionalString }))
  })
}

/** Returns the schema of a value, without `optional` and without a default. */
function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod
  return isWrapper(def) ? def.innerType : schema
}

function isWrapper(def: z.core.$ZodTypeDef): def is z.core.$ZodOptionalDef {
  return 'innerType' in def
}

function fieldNames(row: Endpoint): string[] {
  return Object.keys(row.input._zod.def.shape)
}

function checkAliases(aliases: Aliases): void {
  const allFields = new Set(endpointNames.flatMap((name) => fieldNames(endpointRow(name))))
  const taken = new Set(allFields)
  for (const [field, names] of Object.entries(aliases)) {
    if (!allFields.has(field)) throw new TypeError(`aliases: no endpoint has a field ${JSON.stringify(field)}`)
    for (const name of names) {
      if (taken.has(name)) throw new TypeError(`aliases: the name ${JSON.stringify(name)} is already in use`)
      taken.add(name)
    }
  }
}

/** Picks the known fields, so that unknown fields are never traversed. Treats `null` and an empty optional string as absent. */
function pickFields(sent: Sent, fields: readonly WireName[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const { wireName, field, isOptionalString } of fields) {
    const value = Object.hasOwn(sent, wireName) ? sent[wireName] : null
    if (value === null || (value === '' && isOptionalString)) continue
    if (picked[field] !== undefined && picked[field] !== value) {
      throw new StoreError(
        'invalid_request',
        `${field}: has two different values under two names. Send only one of the names.`,
      )
    }
    picked[field] = value
  }
  return picked
}

/** Returns all names in the request, including unknown names. */
type NamesSent = () => readonly string[]

function createValidator(
  row: Endpoint,
  fields: readonly WireName[],
  known: readonly string[],
  maxQuantity: number,
): (sent: Sent, namesSent: NamesSent) => CheckedInput {
  const parse = createParser<CheckedInput, NamesSent>(row.input, (issues, picked, namesSent) => {
    const unknown = namesSent().filter((name) => !known.includes(name))
    const code = issues.every(isAboutDate) ? 'invalid_date' : 'invalid_request'
    throw new StoreError(code, describeIssues(issues, picked, unknown))
  })
  return (sent, namesSent) => {
    const picked = pickFields(sent, fields)
    if (typeof picked['quantity'] === 'number' && picked['quantity'] > maxQuantity) {
      throw new StoreError('invalid_request', `quantity: must be at most ${maxQuantity}`)
    }
    return parse(picked, namesSent)
  }
}

/** Whether the issue is a nonexistent date in the correct form, such as `2030-02-30`. Such a date has its own error code. */
function isAboutDate(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['code'] === 'invalid_date'
}
