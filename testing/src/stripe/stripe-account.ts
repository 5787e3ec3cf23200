import type { Stripe } from 'stripe'
import { createMissing } from './stripe-failure.ts'

/** The resources of an account by id, in creation order. Resources are replaced, never mutated. */
export interface StripeTables {
  readonly coupons: Map<string, Stripe.Coupon>
  readonly customers: Map<string, Stripe.Customer>
  readonly discounts: Map<string, Stripe.Discount>
  readonly invoice_items: Map<string, Stripe.InvoiceItem>
  readonly invoices: Map<string, Stripe.Invoice>
  readonly payment_methods: Map<string, Stripe.PaymentMethod>
  readonly prices: Map<string, Stripe.Price>
  readonly products: Map<string, Stripe.Product>
  readonly promotion_codes: Map<string, Stripe.PromotionCode>
  readonly subscriptions: Map<string, Stripe.Subscription>
}

/** An in-memory Stripe account. */
export interface StripeAccount extends StripeTables {
  /** Returns the time of the account's clock, in seconds since 1970. */
  now(): number
  /** Returns a new id with a prefix, for example `sub_12`. */
  createId(prefix: string): string
  /** Runs a function, and restores all tables if the function throws. */
  change<Result>(run: () => Result): Result
}

/** Creates an empty account. */
export function createStripeAccount(now: () => number): StripeAccount {
  let ids = 0
  const tables: StripeTables = {
    coupons: new Map(),
    customers: new Map(),
    discounts: new Map(),
    invoice_items: new Map(),
    invoices: new Map(),
    payment_methods: new Map(),
    prices: new Map(),
    products: new Map(),
    promotion_codes: new Map(),
    subscriptions: new Map(),
  }
  return {
    ...tables,
    now,
    createId: (prefix) => `${prefix}_${(ids += 1)}`,
    change: (run) => {
      const restores = Object.values(tables).map(snapshotTable)
      try {
        return run()
      } catch (failure) {
        for (const restore of restores) restore()
        throw failure
      }
    },
  }
}

function snapshotTable<Resource>(table: Map<string, Resource>): () => void {
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

/** Stores a resource under its id and returns it. */
export function save<Resource extends { readonly id: string }>(
  table: Map<string, Resource>,
  resource: Resource,
): Resource {
  table.set(resource.id, resource)
  return resource
}

/** Returns the id from a field whose type allows an id or a resource. Stored resources contain only ids. */
export function idOf(field: string | { readonly id: string }): string {
  return typeof field === 'string' ? field : field.id
}
