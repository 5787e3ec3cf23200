import type * as z from 'zod/mini'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpointNames, endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { StoreError } from '../contract/errors.ts'
import { createParser, Email, isList, isObject } from '../contract/schemas.ts'
import { describeIssues } from './describe-value.ts'
import { unwrap } from './read-output.ts'
import { type Call, namesInQuery, readQuery } from '../http/call.ts'
import { describeMistake } from '../http/json-mistake.ts'
import type { CheckedInput } from '../retries/click.ts'
import type { EndpointName, StorePort } from '../contract/store-port.ts'
import type { Progress } from './integration.ts'
import type { Settings } from './settings.ts'

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
  /** True for an email address, in which a `+` in a query is a plus. */
  readonly isEmail: boolean
  /** True for a string that can be absent. An empty string then counts as absent. */
  readonly isOptionalString: boolean
}

function wireNamesOf(row: Endpoint, aliases: Aliases): readonly WireName[] {
  return Object.entries(row.input._zod.def.shape).flatMap(([field, schema]) => {
    const names = new Set([field, ...(row.aliases?.[field] ?? []), ...(aliases[field] ?? [])])
    const value = unwrap(schema)
    const isEmail = value === Email
    const isOptionalString = schema._zod.optin === 'optional' && value._zod.def.type === 'string'
    return Array.from(names, (wireName) => ({ wireName, field, isEmail, isOptionalString }))
  })
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

/** Picks only known fields, so that others are never traversed. `null` and an empty optional string are absent. */
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
  const parse = createParser<CheckedInput>(row.input)
  return (sent, namesSent) => {
    const picked = pickFields(sent, fields)
    if (typeof picked['quantity'] === 'number' && picked['quantity'] > maxQuantity) {
      throw new StoreError('invalid_request', `quantity: must be at most ${maxQuantity}`)
    }
    const result = parse(picked)
    if (result.success) return result.data
    const { issues } = result.error
    const unknown = namesSent().filter((name) => !known.includes(name))
    const code = issues.every(isAboutDate) ? 'invalid_date' : 'invalid_request'
    throw new StoreError(code, describeIssues(issues, picked, unknown))
  }
}

/** Whether the issue is a nonexistent date in the correct form, such as `2030-02-30`. Such a date has its own error code. */
function isAboutDate(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['code'] === 'invalid_date'
}

/** Returns a request body as a string. Throws StoreError unless it is JSON in UTF-8, without a coding and not too large. */
export function readBody(call: Call, maxBytes: number): Promise<string> {
  checkType(call.header('content-type') ?? '')
  checkCoding(call.header('content-encoding') ?? '')
  return call.text(maxBytes)
}

function checkType(contentType: string): void {
  if (/^application\/json(?:; ?charset=utf-8)?$/i.test(contentType)) return
  const [type = ''] = contentType.split(';', 1)
  if (type.trim().toLowerCase() !== 'application/json') throw new StoreError('unsupported_media_type')
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(parameter)) {
    const charset = (quoted ?? plain).trim().toLowerCase()
    if (name.toLowerCase() !== 'charset' || ['utf-8', 'utf8', ''].includes(charset)) continue
    rejectType(`Content-Type: ${nameOf('charset', charset)} is not supported. Send the body in UTF-8.`)
  }
}

/** A parameter of a content type, with its value in quotes or without quotes. */
const parameter = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

function checkCoding(codings: string): void {
  if (codings === '') return
  const coding = codings
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .find((each) => each !== '' && each !== 'identity')
  if (coding === undefined) return
  rejectType(`Content-Encoding: ${nameOf('coding', coding)} is not supported. Send the body without compression.`)
}

/** Returns the name of a charset or a coding, unless the name is not safe to repeat. */
function nameOf(kind: string, name: string): string {
  return /^[\w.+-]{1,40}$/.test(name) ? `the ${kind} ${name}` : `this ${kind}`
}

function rejectType(message: string): never {
  throw new StoreError('unsupported_media_type', message)
}

const byteOrderMark = 0xfeff

/** Parses a request body. Throws StoreError `invalid_request` if the body is not a JSON object. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text)
  if (isObject(body) && !isList(body)) return body
  throw new StoreError('invalid_request', 'body: must be a JSON object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StoreError('invalid_request', `body: must be valid JSON (${describeMistake(text)})`)
  }
}

/** Creates the selection between the live store and the test store (TEST-1, TEST-2). */
export function createStoreSelection({ store, testStore, testModeHeader }: Settings) {
  const headerName = testModeHeader.toLowerCase()
  return (call: Call, progress: Progress): StorePort => {
    progress.testMode = isTestRequest(call, testModeHeader, headerName)
    if (!progress.testMode) return store
    if (testStore !== undefined) return testStore
    throw new StoreError('invalid_request', `This shop has no test store. Omit ${testModeHeader} and test=true.`)
  }
}

/**
 * Whether a request selects the test store, by its header or by `?test=true`.
 *
 * Throws StoreError `invalid_request` for any value except `true` and `false`, so that a misspelled value never selects
 * the live store.
 */
function isTestRequest(call: Call, testModeHeader: string, headerName: string): boolean {
  const byHeader = isTrue(call.header(headerName), testModeHeader)
  const byQuery = call.query.includes('test') && isTrue(readQuery(call.query, testName)['test'], 'test')
  return byHeader || byQuery
}

const testName = ['test']

function isTrue(value: string | null | undefined, name: string): boolean {
  if (value === null || value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new StoreError('invalid_request', `${name}: must be true or false`)
}
