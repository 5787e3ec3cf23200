import type { Stripe } from 'stripe'
import { createInvalidRequest, createMissing } from './stripe-failure.ts'

/** Creates the resources of an account by id, in creation order. Resources are replaced, never mutated. */
function createTables() {
  return {
    coupons: new Map<string, Stripe.Coupon>(),
    customers: new Map<string, Stripe.Customer>(),
    discounts: new Map<string, Stripe.Discount>(),
    invoice_items: new Map<string, Stripe.InvoiceItem>(),
    invoices: new Map<string, Stripe.Invoice>(),
    payment_methods: new Map<string, Stripe.PaymentMethod>(),
    prices: new Map<string, Stripe.Price>(),
    products: new Map<string, Stripe.Product>(),
    promotion_codes: new Map<string, Stripe.PromotionCode>(),
    subscriptions: new Map<string, Stripe.Subscription>(),
    tax_rates: new Map<string, Stripe.TaxRate>(),
    test_clocks: new Map<string, Stripe.TestHelpers.TestClock>(),
  }
}

/** An in-memory Stripe account. */
export type StripeAccount = ReturnType<typeof createStripeAccount>

/** Creates an empty account. `now` returns the time of the account's clock, in seconds since 1970; `advanceTo` sets a later time. */
export function createStripeAccount(now: () => number, advanceTo: (time: number) => void, trialsBillPending = false) {
  let ids = 0
  const tables = createTables()
  return {
    ...tables,
    now,
    advanceTo,
    trialsBillPending,
    /** Returns a new id with a prefix, for example `sub_12`. */
    createId: (prefix: string) => `${prefix}_${(ids += 1)}`,
    /** Returns the resource with the given id as JSON. Searches all tables. */
    findById: (id: string) => {
      const found = Object.values(tables).flatMap((table) => table.get(id) ?? [])[0]
      return found === undefined ? undefined : toJson(found)
    },
    /** Changes fields of a resource. Throws for an id that does not exist. */
    changeFields: (id: string, fields: object): void => {
      const table = Object.values<Map<string, object>>(tables).find((each) => each.has(id))
      if (table === undefined) throw createMissing('object', id)
      table.set(id, { ...table.get(id), ...fields })
    },
    /** Runs a function, and restores all tables if the function throws. */
    change: <Result>(run: () => Result): Result => {
      const restores = Object.values<Map<string, unknown>>(tables).map(snapshotTable)
      try {
        return run()
      } catch (failure) {
        for (const restore of restores) restore()
        throw failure
      }
    },
  }
}

/** A JSON value. */
export type Json = { [name: string]: Json } | Json[] | boolean | number | string | null

/** Converts a resource to JSON. */
export function toJson(resource: unknown): Json {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- JSON.parse returns any
  return JSON.parse(JSON.stringify(resource)) as Json
}

function snapshotTable(table: Map<string, unknown>): () => void {
  const before = [...table]
  return () => {
    table.clear()
    for (const [id, resource] of before) table.set(id, resource)
  }
}

/** Returns the resource with an id from the path, or from the parameter `param`. Throws `resource_missing`. */
export function findResource<Resource>(
  table: Map<string, Resource>,
  kind: string,
  id: string,
  param?: string,
): Resource {
  const found = table.get(id)
  if (found === undefined) throw createMissing(kind, id, param)
  return found
}

/**
 * Creates a resource from the fields that the store, its commands or the tests read. Stripe returns more fields, most of them `null`: a
 * field that the store begins to read is `undefined` until its handler sets it.
 */
export function createResource<Resource extends { readonly object: string }>(
  fields: Partial<Resource> & Pick<Resource, 'object'>,
): Resource {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- no code reads the other fields
  return fields as Resource
}

/** Stores a resource under its id and returns it. A new resource has the fields that `createResource` describes. */
export function save<Resource extends { readonly id: string; readonly object: string }>(
  table: Map<string, Resource>,
  fields: Partial<Resource> & Pick<Resource, 'id' | 'object'>,
): Resource {
  const resource = createResource<Resource>(fields)
  table.set(resource.id, resource)
  return resource
}

/**
 * Merges metadata by key. An empty value removes its key, and an empty parameter removes all keys. Throws for more than
 * 50 keys, for keys over 40 characters, and for values over 500 characters (docs.stripe.com/api/metadata).
 */
export function changeMetadata(
  before: Stripe.Metadata,
  sent: Stripe.Emptyable<Stripe.MetadataParam> | undefined,
): Stripe.Metadata {
  if (sent === undefined) return before
  if (sent === null || sent === '') return {}
  const after: Record<string, string> = { ...before }
  for (const [name, value] of Object.entries(sent)) {
    if (name.length > 40 || String(value).length > 500)
      throw createInvalidRequest('Keys have up to 40 and values up to 500 characters.', `metadata[${name}]`)
    if (value === null || value === '') delete after[name]
    else after[name] = String(value)
  }
  if (Object.keys(after).length > 50) throw createInvalidRequest('You can have up to 50 metadata keys.', 'metadata')
  return after
}

/** Returns the id from a field whose type allows an id or a resource. Stored resources contain only ids. */
export function idOf(field: string | { readonly id: string }): string {
  return typeof field === 'string' ? field : field.id
}
