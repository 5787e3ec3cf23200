import type { Stripe } from 'stripe'
import { definitions, followReference, type Schema } from './compile-schemas.ts'

/** The resources that the stand-in creates, by definition name. */
interface Resources {
  readonly Coupon: Stripe.Coupon
  readonly Customer: Stripe.Customer
  readonly Discount: Stripe.Discount
  readonly Invoice: Stripe.Invoice
  readonly InvoiceItem: Stripe.InvoiceItem
  readonly InvoiceLineItem: Stripe.InvoiceLineItem
  readonly PaymentMethod: Stripe.PaymentMethod
  readonly Plan: Stripe.Plan
  readonly Price: Stripe.Price
  readonly Product: Stripe.Product
  readonly PromotionCode: Stripe.PromotionCode
  readonly Subscription: Stripe.Subscription
  readonly SubscriptionItem: Stripe.SubscriptionItem
}

/**
 * Creates a resource from some of its fields. Other required fields are null if the type allows null; otherwise false,
 * an empty list or object, or the only possible value. `writeResponse` throws if a string or a number is missing.
 */
export function createResource<Name extends keyof Resources>(
  name: Name,
  fields: Partial<Resources[Name]>,
): Resources[Name] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- writeResponse checks it against the schema of this type
  return { ...emptyFields(definitions[name] ?? {}), ...fields } as Resources[Name]
}

function emptyFields({ properties = {}, required = [] }: Schema): object {
  const fields = required.map((name) => [name, emptyValue(properties[name] ?? {})] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** Returns the default value for a type; `undefined` for a string or a number. */
function emptyValue(reference: Schema): unknown {
  const schema = followReference(reference)
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type)
  if (types.includes('null')) return null
  if (schema.const !== undefined) return schema.const
  if (types.includes('boolean')) return false
  if (types.includes('array')) return []
  return types.includes('object') ? emptyFields(schema) : undefined
}
