import {
  addDays,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpointRow,
  endpoints,
  errors,
} from '@storeport/core'
import type { CallOptions, Check, CheckContext } from '../engine/check.ts'
import { skipReadOnly } from '../engine/check-end.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { withQuery } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import * as z from 'zod/mini'

/** Content type of every POST. */
export const json = { 'Content-Type': 'application/json' }

/** A sample value of each kind of field. `id` must be first, because an id field also accepts the other strings. */
const samples = [
  ['id', 'x'],
  ['email', 'somebody@example.com'],
  ['date', '2026-01-31'],
  ['quantity', 1],
  ['flag', true],
] as const

/** Kind of an input field. */
export type FieldKind = (typeof samples)[number][0]

interface InputField {
  readonly kind: FieldKind
  /** Whether the field is required. */
  readonly required: boolean
}

type NamedFields = readonly (readonly [field: string, InputField])[]

/** The fields of each endpoint's query or body, derived from the schemas. */
const inputFields: ReadonlyMap<EndpointName, NamedFields> = new Map(
  endpointNames.map((name) => [name, readFields(endpointRow(name))]),
)

export function fieldsOf(name: EndpointName): NamedFields {
  return inputFields.get(name) ?? []
}

/** Returns the names of an endpoint's fields that are an id or a code. */
export function idFieldsOf(name: EndpointName): readonly string[] {
  return fieldsOf(name).flatMap(([field, { kind }]) => (kind === 'id' ? [field] : []))
}

function readFields({ input }: Endpoint): NamedFields {
  return Object.entries(input._zod.def.shape).map(([field, schema]) => [
    field,
    { kind: kindOf(field, schema), required: !takes(schema, undefined) },
  ])
}

function kindOf(field: string, schema: z.core.$ZodType): FieldKind {
  const found = samples.find(([, value]) => takes(schema, value))
  if (found === undefined) throw new TypeError(`${field}: the kit has no sample value for this field`)
  return found[0]
}

function takes(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success
}

/** Endpoints with a body. */
export const postNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'POST')

/** Endpoints with an id or a code. */
export const idNames: readonly EndpointName[] = endpointNames.filter((name) => idFieldsOf(name).length > 0)

/** Endpoints with a query. */
export const getNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'GET')

/** Returns the offered endpoints with a body or a query. Skips the check if the shop offers no such endpoint. */
export function offeredOf(t: CheckContext, kind: 'body' | 'query'): readonly [EndpointName, ...EndpointName[]] {
  if (kind === 'body' && !t.maySend('POST')) throw skipReadOnly()
  const [first, ...others] = (kind === 'body' ? postNames : getNames).filter((name) => t.offered.includes(name))
  return first === undefined ? t.skip(`the shop offers no endpoint with a ${kind}`) : [first, ...others]
}

/** Returns a complete and valid input that changes nothing, because its customer or its code does not exist. */
export function harmlessInput(t: CheckContext, name: EndpointName): Record<string, unknown> {
  const required = fieldsOf(name).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([field, kind]) => [field, harmlessValue(t, field, kind)]))
}

export function callHarmless(t: CheckContext, name: EndpointName, more: object = {}, options?: CallOptions) {
  return t.call(name, { ...harmlessInput(t, name), ...more }, options)
}

/** Returns a string that can be sent to an endpoint. UTF-8 cannot encode lone surrogates in a query. */
export function sendable(name: EndpointName, text: string): string {
  return endpoints[name].method === 'POST' ? text : text.toWellFormed()
}

/** Returns the path of an endpoint below the base path, with a harmless query for a GET endpoint. */
export function harmlessTarget(t: CheckContext, name: EndpointName): string {
  const { method, path } = endpoints[name]
  return method === 'POST' ? path : withQuery(path, harmlessInput(t, name))
}

export function harmlessJson(t: CheckContext, name: EndpointName): string {
  return JSON.stringify(harmlessInput(t, name))
}

/**
 * Expects that a harmless request passed the validation, and that the shop did not find the customer or the code. Accepts
 * any response to an ordinary harmless request, since other checks verify the status and the code.
 */
export async function expectValid(
  t: CheckContext,
  reply: Reply,
  name: EndpointName,
  requirement?: RequirementId,
): Promise<void> {
  const { errors: codes, absent } = endpointRow(name)
  const code = codes.includes('customer_not_found') ? 'customer_not_found' : absent
  if (code === undefined) return t.accepted(reply, requirement)
  if (reply.status === errors[code].status && errorCodeOf(reply) === code) return
  const usual = await callHarmless(t, name)
  const isUsual = reply.status === usual.status && errorCodeOf(reply) === errorCodeOf(usual)
  // Requires an error body, since only its code distinguishes this response from the rejection of an invalid request.
  if (isUsual && reply.status === errors[code].status) t.errorBody(reply)
  const expected = `the request to pass validation and return ${errors[code].status} ${code}, like any valid request that finds no data`
  t.ok(isUsual && !isRejectedEarly(reply), expected, reply, requirement)
}

/** Returns whether a request was rejected before the shop searched for the customer or the code. */
function isRejectedEarly(reply: Reply): boolean {
  const code = errorCodeOf(reply)
  if (reply.status === 200) return false
  return reply.status >= 500 || code === undefined || earlyCodes.has(code) || earlyStatuses.has(reply.status)
}

const earlyCodes: ReadonlySet<string> = new Set(['invalid_request', 'endpoint_not_found', 'endpoint_not_available'])
const earlyStatuses: ReadonlySet<number> = new Set([401, 403, 405, 413, 415, 429])

function harmlessValue(t: CheckContext, field: string, { kind }: InputField): unknown {
  if (kind === 'email') return t.profile.customers.unknown
  // The 15th of a month a few weeks ahead, since every shop accepts this date.
  if (kind === 'date') return `${addDays(t.today, 45).slice(0, -2)}15`
  return field === 'discount_code' ? t.profile.discounts.unknown : t.profile.products.unknown
}

/** One byte more than the maximum size of a request body. */
const tooManyBytes = 64 * 1024 + 1

/** Sends harmless requests, and returns their responses as samples: successes, endpoint errors and transport errors. */
export async function sampleAnswers(t: CheckContext): Promise<readonly Reply[]> {
  const replies = [
    await t.send({ path: '/no-such-path' }),
    await t.send({ path: '/no-such-path', key: null }),
    await t.send({ method: 'OPTIONS', path: '/no-such-path' }),
  ]
  const [firstPost] = postNames.filter((name) => t.offered.includes(name))
  const [firstGet] = getNames.filter((name) => t.offered.includes(name))
  // At most one request of each method, to stay below the shop's rate limit for invalid keys.
  for (const name of [firstPost, firstGet])
    if (name !== undefined) replies.push(await callHarmless(t, name, {}, { key: null }))
  for (const name of t.offered) {
    const { method, path } = endpoints[name]
    replies.push(await callHarmless(t, name))
    replies.push(await t.call(name, { email: 'no address' }))
    const other = method === 'GET' ? 'DELETE' : 'GET'
    if (t.maySend(other)) replies.push(await t.send({ method: other, path }))
  }
  if (firstPost !== undefined) {
    const { path } = endpoints[firstPost]
    replies.push(await t.send({ method: 'POST', path, headers: json, body: '{"email":' }))
    replies.push(await t.send({ method: 'POST', path, headers: { 'Content-Type': 'text/plain' }, body: '{}' }))
    replies.push(await t.send({ method: 'POST', path, headers: json, body: `{"pad":"${'x'.repeat(tooManyBytes)}"}` }))
  }
  return replies
}

/** Returns JSON of exactly the given number of bytes: the given object with a padding field. */
export function jsonOfBytes(bytes: number, value: object): string {
  const empty = JSON.stringify({ ...value, padding: '' })
  return JSON.stringify({ ...value, padding: 'x'.repeat(bytes - Buffer.byteLength(empty)) })
}

/** Splits a string into chunks of a number of bytes. A body of chunks is sent without its length. */
export function inPieces(text: string, size: number): readonly Uint8Array[] {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.byteLength / size)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** Expects 401 with the error body. */
export function expectUnauthorized(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.status(reply, 401, requirement)
  t.errorBody(reply, 'AUTH-4')
  t.rejected(reply, 'unauthorized', requirement)
}

type Run = Check['run']

/** Runs a check on each offered endpoint. */
export const eachOffered = each((t) => t.offered)

/** Runs a check on each offered endpoint with a body. */
export const eachPost = each((t) => offeredOf(t, 'body'))

/** Runs a check on each offered endpoint with a query. */
export const eachGet = each((t) => offeredOf(t, 'query'))

function each(namesOf: (t: CheckContext) => readonly EndpointName[]) {
  return (run: (t: CheckContext, name: EndpointName) => Promise<void>): Run => {
    return async (t) => {
      for (const name of namesOf(t)) await run(t, name)
    }
  }
}

/** Runs a check on each sample response. */
export function eachAnswer(run: (t: CheckContext, reply: Reply) => void): Run {
  return async (t) => {
    for (const reply of await sampleAnswers(t)) run(t, reply)
  }
}
