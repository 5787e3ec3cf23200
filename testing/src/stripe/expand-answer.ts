import { definitions, followReference, type Schema, type StripeRequestName } from './compile-schemas.ts'
import type { StripeAccount } from './stripe-account.ts'
import { createInvalidRequest, createUnsupported } from './stripe-failure.ts'

/** What is JSON, as the answers are before they are text. */
type Json = { [name: string]: Json } | Json[] | boolean | number | string | null

/**
 * Puts whole resources where an answer has their ids, for each path in `expand` (docs.stripe.com/expand). "Expansions have a
 * maximum depth of four levels", of which `data` of a list is one; what the vendor's type does not let be a resource cannot
 * be expanded.
 */
export function expandAnswer(
  account: StripeAccount,
  name: StripeRequestName,
  answer: unknown,
  paths: readonly string[],
): unknown {
  if (paths.length === 0) return answer
  let expanded = toJson(answer)
  for (const [index, path] of paths.entries()) {
    const param = `expand[${index}]`
    const parts = path.split('.')
    if (parts.length > 4)
      throw createInvalidRequest(`You cannot expand more than 4 levels of a property. Property: ${path}`, param)
    const refuse = () => createInvalidRequest(`This property cannot be expanded (${path}).`, param)
    expanded = expandPart(account, expanded, [findAnswerSchema(name)], parts, refuse)
  }
  return expanded
}

function expandPart(
  account: StripeAccount,
  value: Json,
  schemas: readonly Schema[],
  [part, ...rest]: readonly string[],
  refuse: () => Error,
): Json {
  const options = schemas.flatMap(listOptions)
  if (Array.isArray(value)) {
    const items = options.flatMap(({ items: each }) => (each === undefined ? [] : [each]))
    return value.map((each) => expandPart(account, each, items, part === undefined ? [] : [part, ...rest], refuse))
  }
  if (typeof value === 'string') {
    const resource = findById(account, value)
    const isResource = options.some(({ properties }) => properties?.['object'] !== undefined)
    if (!isResource || resource === undefined) throw refuse()
    return expandPart(account, resource, schemas, part === undefined ? [] : [part, ...rest], refuse)
  }
  if (part === undefined || value === null) return value
  const inner = options.flatMap(({ properties }) => (properties?.[part] === undefined ? [] : [properties[part]]))
  if (inner.length === 0 || typeof value !== 'object') throw refuse()
  if (rest.length === 0 && !inner.flatMap(listOptions).some(isExpandable)) throw refuse()
  const found = value[part]
  // Some fields are in an answer only if they are expanded, such as the subscriptions of a customer.
  if (found === undefined) throw createUnsupported(`${part} in expand`)
  return { ...value, [part]: expandPart(account, found, inner, rest, refuse) }
}

function toJson(resource: unknown): Json {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what JSON.parse returns has no type
  return JSON.parse(JSON.stringify(resource)) as Json
}

/** A resource, a list of them, or an object that holds them further down. */
function isExpandable({ properties, items }: Schema): boolean {
  return properties?.['object'] !== undefined || (items !== undefined && listOptions(items).some(isExpandable))
}

function listOptions(schema: Schema): Schema[] {
  const { anyOf, ...own } = followReference(schema)
  return anyOf === undefined ? [own] : anyOf.flatMap(listOptions)
}

function findAnswerSchema(name: StripeRequestName): Schema {
  const answer = definitions['StripeRequests']?.properties?.[name]?.properties?.['answer']
  if (answer === undefined) throw new Error(`${name} has no schema`)
  return answer
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
