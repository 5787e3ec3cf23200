import type { Stripe } from 'stripe'
import { listPage } from './handler.ts'
import { type Json, type StripeAccount, toJson } from './stripe-account.ts'
import { createInvalidRequest, createUnsupported } from './stripe-failure.ts'

/**
 * Replaces ids in a response with resources, for each path in `expand` (docs.stripe.com/expand). Throws for a field that
 * is not the id of a resource. "Expansions have a maximum depth of four levels", including a list's `data`.
 */
export function expandResponse(account: StripeAccount, response: unknown, paths: readonly string[]): unknown {
  return paths.reduce((expanded, path, index) => {
    const param = `expand[${index}]`
    const parts = path.split('.')
    if (parts.length > 4)
      throw createInvalidRequest(`You cannot expand more than 4 levels of a property. Property: ${path}`, param)
    const createError = () => createInvalidRequest(`This property cannot be expanded (${path}).`, param)
    return expandPart(account, toJson(expanded), parts, createError)
  }, response)
}

function expandPart(account: StripeAccount, value: Json, path: readonly string[], createError: () => Error): Json {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((each) => expandPart(account, each, path, createError))
  if (typeof value === 'string') {
    const resource = account.findById(value)
    if (resource === undefined) throw createError()
    return expandPart(account, resource, path, createError)
  }
  const [part, ...rest] = path
  if (typeof value !== 'object' || (part === undefined && value['object'] === undefined)) throw createError()
  if (part === undefined) return value
  const found = part === 'subscriptions' ? listCurrent(account, value) : value[part]
  // The stand-in always includes these parts of a coupon.
  if (['applies_to', 'currency_options'].includes(part)) return value
  // Stripe omits some fields unless they are expanded, for example a customer's subscriptions.
  if (found === undefined) throw createUnsupported(`${part} in expand`)
  return { ...value, [part]: expandPart(account, found, rest, createError) }
}

/** Returns the first page of a customer's subscriptions that are not cancelled (docs.stripe.com/api/customers/object). */
function listCurrent({ subscriptions }: StripeAccount, { id }: { readonly [name: string]: Json }): Json {
  const isCurrent = ({ customer, status }: Stripe.Subscription) => customer === id && status !== 'canceled'
  return toJson(listPage(`/v1/subscriptions?customer=${String(id)}`, subscriptions, {}, isCurrent))
}
