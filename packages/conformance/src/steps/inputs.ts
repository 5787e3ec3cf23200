import {
  addDays,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpointRow,
  endpoints,
  errors,
} from '@storeport/core'
import type { CallOptions, Check, CheckContext, RawRequest } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { queryOf, withQuery } from '../http/plain-http.ts'
import type { Reply } from '../http/reply.ts'
import * as z from 'zod/mini'

/** The content type of what every POST sends. */
export const json = { 'Content-Type': 'application/json' }

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
interface InputField {
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

/** The names of an endpoint's fields that hold an id or a code. */
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
  if (found === undefined) throw new TypeError(`${field}: the kit knows no value of this field`)
  return found[0]
}

function takes(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success
}

/** The names of the endpoints that take a body. */
export const postNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'POST')

/** The names of the endpoints that take an id or a code. */
export const idNames: readonly EndpointName[] = endpointNames.filter((name) => idFieldsOf(name).length > 0)

/** The names of the endpoints that take a query. */
export const getNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'GET')

/** The endpoints that are offered and take a body, or a query; skips the check when there is none. */
export function offeredOf(t: CheckContext, kind: 'body' | 'query'): readonly [EndpointName, ...EndpointName[]] {
  const [first, ...others] = (kind === 'body' ? postNames : getNames).filter((name) => t.offered.includes(name))
  return first === undefined ? t.skip(`the shop offers no endpoint that takes a ${kind}`) : [first, ...others]
}

/** A complete and valid input that changes nothing, since it names no customer and no code that exist. */
export function harmlessInput(t: CheckContext, name: EndpointName): Record<string, unknown> {
  const required = fieldsOf(name).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([field, kind]) => [field, harmlessValue(t, field, kind)]))
}

/** Makes a harmless call, with more or other fields. */
export function callHarmless(t: CheckContext, name: EndpointName, more: object = {}, options?: CallOptions) {
  return t.call(name, { ...harmlessInput(t, name), ...more }, options)
}

/** A string that an endpoint can receive: a query cannot contain half a surrogate pair, which has no UTF-8 form. */
export function sendable(name: EndpointName, text: string): string {
  return endpoints[name].method === 'POST' ? text : text.toWellFormed()
}

/** The path of an endpoint below the base path with a harmless query, if it takes one. */
export function harmlessTarget(t: CheckContext, name: EndpointName): string {
  const { method, path } = endpoints[name]
  return method === 'POST' ? path : withQuery(path, harmlessInput(t, name))
}

/** A harmless call with its path changed and more in its query. */
export function sendHarmless(t: CheckContext, name: EndpointName, change: (path: string) => string, more = '') {
  const { method, path } = endpoints[name]
  const query = method === 'POST' ? '' : queryOf(harmlessInput(t, name))
  const pairs = [query, more].filter((part) => part !== '').join('&')
  const body = method === 'POST' ? { headers: json, body: harmlessJson(t, name) } : {}
  return t.send({ method, path: change(path) + (pairs === '' ? '' : `?${pairs}`), ...body })
}

/** A harmless body. */
export function harmlessJson(t: CheckContext, name: EndpointName): string {
  return JSON.stringify(harmlessInput(t, name))
}

/** Sends a body as it is, by default as JSON. */
export function post(
  t: CheckContext,
  name: EndpointName,
  body: NonNullable<RawRequest['body']>,
  type: string | null = 'application/json',
  query = '',
): Promise<Reply> {
  const headers: Record<string, string> = type === null ? {} : { 'Content-Type': type }
  return t.send({ method: 'POST', path: endpoints[name].path + query, headers, body })
}

/**
 * Expects that a harmless call was read and let in: the shop itself then does not know the customer or the code.
 *
 * Which status and code a shop has for that is the point of other checks: where they differ, it must be those of any harmless call.
 */
export async function expectThrough(
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
  const expected = `the call to be let in and to end in ${errors[code].status} ${code}, as any harmless one does`
  t.that(isUsual && !isTurnedAway(reply), expected, reply, requirement)
}

/** Whether a call did not get as far as the shop: its key, path, method, type, size or fields were at fault. */
function isTurnedAway(reply: Reply): boolean {
  const code = errorCodeOf(reply)
  if (reply.status === 200) return false
  return reply.status >= 500 || code === undefined || turningAway.has(code) || turningAwayStatus.has(reply.status)
}

const turningAway: ReadonlySet<string> = new Set(['invalid_request', 'endpoint_not_found', 'endpoint_not_available'])
const turningAwayStatus: ReadonlySet<number> = new Set([401, 403, 405, 413, 415, 429])

function harmlessValue(t: CheckContext, field: string, { kind }: InputField): unknown {
  if (kind === 'email') return t.profile.customers.unknown
  if (kind === 'date') return ordinaryDay(t.today)
  return field === 'discount_code' ? t.profile.discounts.unknown : t.profile.products.unknown
}

/** A day a few weeks ahead, in the middle of its month: whatever a shop takes ends of months and leap days for, it knows that one. */
function ordinaryDay(today: string): string {
  return `${addDays(today, 45).slice(0, -2)}15`
}

/** One more than the largest body, in bytes. */
const tooManyBytes = 64 * 1024 + 1

/** One answer of every kind that can be had without changing anything: successes and refusals, by endpoint and by transport. */
export async function sampleAnswers(t: CheckContext): Promise<readonly Reply[]> {
  const replies = [
    await t.send({ path: '/no-such-path' }),
    await t.send({ path: '/no-such-path', key: null }),
    await t.send({ method: 'OPTIONS', path: '/no-such-path' }),
  ]
  for (const name of oneOfEachMethod(t.offered)) {
    replies.push(await callHarmless(t, name, {}, { key: null }))
  }
  for (const name of t.offered) {
    const { method, path } = endpoints[name]
    replies.push(await callHarmless(t, name))
    replies.push(await t.call(name, { email: 'no address' }))
    replies.push(await t.send({ method: method === 'GET' ? 'DELETE' : 'GET', path }))
  }
  for (const name of postNames.filter((other) => t.offered.includes(other)).slice(0, 1)) {
    const { path } = endpoints[name]
    replies.push(await t.send({ method: 'POST', path, headers: json, body: '{"email":' }))
    replies.push(await t.send({ method: 'POST', path, headers: { 'Content-Type': 'text/plain' }, body: '{}' }))
    replies.push(await t.send({ method: 'POST', path, headers: json, body: `{"pad":"${'x'.repeat(tooManyBytes)}"}` }))
  }
  return replies
}

/** Shops count wrong keys: a whole run must stay below what they allow in a minute. */
function oneOfEachMethod(offered: readonly EndpointName[]): readonly EndpointName[] {
  return [offered.find((name) => postNames.includes(name)), offered.find((name) => !postNames.includes(name))].filter(
    (name) => name !== undefined,
  )
}

/** A JSON object of exactly the given number of bytes: the given one with a field that fills it up. */
export function jsonOfBytes(bytes: number, value: object): string {
  const empty = JSON.stringify({ ...value, padding: '' })
  return JSON.stringify({ ...value, padding: 'x'.repeat(bytes - Buffer.byteLength(empty)) })
}

/** A text in pieces that come one after the other, so that nobody knows its length beforehand. */
export async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size)
}

/** Expects a caller without a valid key to be turned away: 401 in the error body. */
export function expectUnauthorized(t: CheckContext, reply: Reply, requirement?: RequirementId): void {
  t.status(reply, 401, requirement)
  t.errorBody(reply, 'AUTH-4')
  t.refused(reply, 'unauthorized', requirement)
}

type Run = Check['run']

/** The run of a check that tries each offered endpoint. */
export const eachOffered = each((t) => t.offered)

/** The run of a check that tries each offered endpoint that takes a body. */
export const eachPost = each((t) => offeredOf(t, 'body'))

/** The run of a check that tries each offered endpoint that takes a query. */
export const eachGet = each((t) => offeredOf(t, 'query'))

function each(namesOf: (t: CheckContext) => readonly EndpointName[]) {
  return (run: (t: CheckContext, name: EndpointName) => Promise<void>): Run => {
    return async (t) => {
      for (const name of namesOf(t)) await run(t, name)
    }
  }
}

/** The run of a check that looks at one answer of every kind. */
export function eachAnswer(run: (t: CheckContext, reply: Reply) => void): Run {
  return async (t) => {
    for (const reply of await sampleAnswers(t)) run(t, reply)
  }
}
