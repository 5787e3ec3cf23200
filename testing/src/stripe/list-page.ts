import type { Stripe } from 'stripe'
import { createInvalidRequest, createMissing } from './stripe-failure.ts'

/** Parameters of every list request (docs.stripe.com/api/pagination). */
interface PageParams {
  readonly limit?: number
  readonly starting_after?: string
}

/** Returns one page of matching resources, newest first. A page has 10 resources by default, and at most 100. */
export function listPage<Resource extends { readonly id: string }>(
  url: string,
  table: ReadonlyMap<string, Resource>,
  { limit = 10, starting_after }: PageParams,
  isWanted: (resource: Resource) => boolean,
): Stripe.ApiList<Resource> {
  if (limit < 1 || limit > 100) throw createInvalidRequest('Limit must be between 1 and 100.', 'limit')
  const matching = [...table.values()].toReversed().filter(isWanted)
  const last = matching.findIndex(({ id }) => id === starting_after)
  if (starting_after !== undefined && last < 0) throw createMissing('object', starting_after, 'starting_after')
  const data = matching.slice(last + 1, last + 1 + limit)
  return { object: 'list', data, has_more: last + 1 + limit < matching.length, url }
}

/** Returns whether each field equals the parameter with the same name. Ignores fields without a parameter. */
export function matches(params: object, fields: Readonly<Record<string, unknown>>): boolean {
  const sent = new Map<string, unknown>(Object.entries(params))
  return Object.entries(fields).every(([name, value]) => [undefined, value].includes(sent.get(name)))
}
