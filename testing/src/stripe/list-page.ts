import type { Stripe } from 'stripe'
import { createInvalidRequest, createMissing } from './stripe-failure.ts'

/** What `docs.stripe.com/api/pagination` lets a list be asked for. */
export interface PageParams {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** One page of a list, newest first: 10 unless `limit` says otherwise, at most 100 (docs.stripe.com/api/pagination). */
export function listPage<Resource extends { readonly id: string }>(
  url: string,
  matching: readonly Resource[],
  { limit = 10, starting_after, ending_before }: PageParams,
): Stripe.ApiList<Resource> {
  if (limit < 1 || limit > 100) throw createInvalidRequest('Limit must be between 1 and 100.', 'limit')
  if (starting_after !== undefined && ending_before !== undefined)
    throw createInvalidRequest(
      'You cannot parameterize both starting_after and ending_before.',
      'starting_after',
      'parameters_exclusive',
    )
  const place = (param: string, id: string) => {
    const index = matching.findIndex((each) => each.id === id)
    if (index < 0) throw createMissing('object', id, param)
    return index
  }
  const end = ending_before === undefined ? matching.length : place('ending_before', ending_before)
  const start = ending_before === undefined ? 0 : Math.max(0, end - limit)
  const from = starting_after === undefined ? start : place('starting_after', starting_after) + 1
  const data = matching.slice(from, Math.min(end, from + limit))
  const has_more = ending_before === undefined ? from + limit < matching.length : start > 0
  return { object: 'list', data, has_more, url }
}

/** Everything in a table, newest first, as Stripe lists it. */
export function newestFirst<Resource>(table: ReadonlyMap<string, Resource>): Resource[] {
  return [...table.values()].toReversed()
}

/** Whether a time is in the range that a list is asked for. */
export function isInRange(time: number, range: number | Stripe.RangeQueryParam | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return time === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return time > gt && time >= gte && time < lt && time <= lte
}
