import { definitions, followReference, type Schema, type StripeRequestName } from './compile-schemas.ts'
import type { StripeAccount } from './stripe-account.ts'
import { createInvalidRequest, createUnsupported } from './stripe-failure.ts'

type Json = { [name: string]: Json } | Json[] | boolean | number | string | null

/**
 * Replaces ids in a response with resources, for each path in `expand` (docs.stripe.com/expand). Only fields whose type
 * allows a resource can be expanded. "Expansions have a maximum depth of four levels", including a list's `data`.
 */
export function expandResponse(
  account: StripeAccount,
  name: StripeRequestName,
  response: unknown,
  paths: readonly string[],
): unknown {
  if (paths.length === 0) return response
  let expanded = toJson(response)
  for (const [index, path] of paths.entries()) {
    const param = `expand[${index}]`
    const parts = path.split('.')
    if (parts.length > 4)
      throw createInvalidRequest(`You cannot expand more than 4 levels of a property. Property: ${path}`, param)
    const createError = () => createInvalidRequest(`This property cannot be expanded (${path}).`, param)
    expanded = expandPart(account, expanded, [findResponseSchema(name)], parts, createError)
  }
  return expanded
}

function expandPart(
  account: StripeAccount,
  value: Json,
  schemas: readonly Schema[],
  [part, ...rest]: readonly string[],
  createError: () => Error,
): Json {
  const options = schemas.flatMap(listOptions)
  if (Array.isArray(value)) {
    const items = options.flatMap(({ items: each }) => (each === undefined ? [] : [each]))
    return value.map((each) => expandPart(account, each, items, part === undefined ? [] : [part, ...rest], createError))
  }
  if (typeof value === 'string') {
    const resource = findById(account, value)
    const isResource = options.some(({ properties }) => properties?.['object'] !== undefined)
    if (!isResource || resource === undefined) throw createError()
    return expandPart(account, resource, schemas, part === undefined ? [] : [part, ...rest], createError)
  }
  if (part === undefined || value === null) return value
  const inner = options.flatMap(({ properties }) => (properties?.[part] === undefined ? [] : [properties[part]]))
  if (inner.length === 0 || typeof value !== 'object') throw createError()
  if (rest.length === 0 && !inner.flatMap(listOptions).some(isExpandable)) throw createError()
  const found = value[part]
  // Stripe omits some fields unless they are expanded, for example a customer's subscriptions.
  if (found === undefined) throw createUnsupported(`${part} in expand`)
  return { ...value, [part]: expandPart(account, found, inner, rest, createError) }
}

function toJson(resource: unknown): Json {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- JSON.parse returns any
  return JSON.parse(JSON.stringify(resource)) as Json
}

/** Whether a schema describes a resource, or a list of resources. */
function isExpandable({ properties, items }: Schema): boolean {
  return properties?.['object'] !== undefined || (items !== undefined && listOptions(items).some(isExpandable))
}

function listOptions(schema: Schema): Schema[] {
  const { anyOf, ...own } = followReference(schema)
  return anyOf === undefined ? [own] : anyOf.flatMap(listOptions)
}

function findResponseSchema(name: StripeRequestName): Schema {
  const response = definitions['StripeRequests']?.properties?.[name]?.properties?.['answer']
  if (response === undefined) throw new Error(`${name} has no schema`)
  return response
}

function findById(account: StripeAccount, id: string): Json | undefined {
  const tables = [
    account.coupons,
    account.customers,
    account.discounts,
    account.invoices,
    account.payment_methods,
    account.prices,
    account.products,
    account.promotion_codes,
    account.subscriptions,
  ]
  const found = tables.map((table) => table.get(id)).find((resource) => resource !== undefined)
  return found === undefined ? undefined : toJson(found)
}
