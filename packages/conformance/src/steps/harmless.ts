import { addDays, type EndpointName, endpointNames, endpointRow, endpoints, errors } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { fieldsOf, type InputField } from './input-fields.ts'
import type { Reply } from '../http/reply.ts'
import type { RequirementId } from '../engine/requirement.ts'

/** The names of the endpoints that take a body. */
export const postNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'POST')

/** The names of the endpoints that take a query. */
export const getNames: readonly EndpointName[] = endpointNames.filter((name) => endpoints[name].method === 'GET')

/** The offered endpoints that take a body; skips the check when there is none. */
export function offeredPosts(t: CheckContext): readonly EndpointName[] {
  const offered = postNames.filter((name) => t.offered.includes(name))
  return offered.length > 0 ? offered : t.skip('the shop offers no endpoint that takes a body')
}

/** The offered endpoints that take a query; skips the check when there is none. */
export function offeredGets(t: CheckContext): readonly EndpointName[] {
  const offered = getNames.filter((name) => t.offered.includes(name))
  return offered.length > 0 ? offered : t.skip('the shop offers no endpoint that takes a query')
}

/** A complete and valid input that changes nothing, since it names no customer and no code that exist. */
export function harmlessInput(t: CheckContext, name: EndpointName): Record<string, unknown> {
  const required = fieldsOf(name).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([field, kind]) => [field, harmlessValue(t, field, kind)]))
}

/** The path of an endpoint below the base path with a harmless query, if it takes one. */
export function harmlessTarget(t: CheckContext, name: EndpointName): string {
  const { method, path } = endpoints[name]
  if (method === 'POST') return path
  const pairs = Object.entries(harmlessInput(t, name)).map(
    ([field, value]) => `${field}=${encodeURIComponent(String(value))}`,
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
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
  const usual = await t.call(name, harmlessInput(t, name))
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
