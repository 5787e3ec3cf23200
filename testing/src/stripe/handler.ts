import type { Stripe } from 'stripe'
import { findResource, save, type StripeAccount } from './stripe-account.ts'
import { createInvalidRequest } from './stripe-failure.ts'

/** A supported request. */
export interface Handler {
  /** Supported parameters besides `expand`. Paths omit list indexes: `items.price` stands for `items[0][price]`. */
  readonly supported: string
  /** Runs the request with the parameters of its type in the `stripe` package. Returns ids instead of expanded objects. */
  readonly run: (account: StripeAccount, params: never, id: string) => object
}

/** Handlers by method and path, with `{id}` as a placeholder. */
export type Handlers = Readonly<Record<string, Handler>>

/** Returns a table of the account. */
type FindTable<Resource> = (account: StripeAccount) => Map<string, Resource>

/** Lists the resources whose `fields` equal the parameters with the same names. `isWanted` reads the parameters `others`. */
export function list<Resource extends { readonly id: string }, Params>(
  url: string,
  findTable: FindTable<Resource>,
  fields: string,
  others = '',
  isWanted: (resource: Resource, params: Params) => boolean = () => true,
): Handler {
  return {
    supported: `limit ${fields} ${others}`,
    run: (account, params) => {
      const sent = new Map<string, unknown>(Object.entries(params))
      return listPage(url, findTable(account), params, (resource) => {
        const own = new Map<string, unknown>(Object.entries(resource))
        const isEqual = fields.split(' ').every((field) => [undefined, own.get(field)].includes(sent.get(field)))
        return isEqual && isWanted(resource, params)
      })
    },
  }
}

/** Returns the first page of matching resources, newest first: 10 by default, and at most 100 (docs.stripe.com/api/pagination). */
export function listPage<Resource extends { readonly id: string }>(
  url: string,
  table: ReadonlyMap<string, Resource>,
  { limit = 10 }: { readonly limit?: number },
  isWanted: (resource: Resource) => boolean,
): Stripe.ApiList<Resource> {
  if (limit < 1 || limit > 100) throw createInvalidRequest('Limit must be between 1 and 100.', 'limit')
  const matching = [...table.values()].toReversed().filter(isWanted)
  return { object: 'list', data: matching.slice(0, limit), has_more: limit < matching.length, url }
}

/** Sets the sent fields of a resource. */
export function change<Resource extends { readonly id: string; readonly object: string }>(
  findTable: FindTable<Resource>,
  kind: string,
  supported: string,
): Handler {
  return {
    supported,
    run: (account, params: Partial<Resource>, id) => {
      const table = findTable(account)
      return save(table, { ...findResource(table, kind, id), ...params })
    },
  }
}
