import { compile } from '#compile'
import * as z from 'zod/mini'
import { isCalendarDate } from './calendar.ts'
import type { ErrorCode } from './errors.ts'

/** Email pattern from the HTML standard. Copied, because importing `z.regexes` would bundle forty other patterns. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** Control characters, half surrogates and, to be fast, characters outside the basic plane. */
const unclean = /[^\t\n -~\u00A0-\uD7FF\uE000-\uFFFF]/

/**
 * Makes a text safe for strict JSON parsers. Half surrogates become U+FFFD. Control characters are removed, except line
 * feeds and tabs.
 */
export function cleanText(text: string): string {
  if (!unclean.test(text)) return text
  return text.replace(/\p{Cs}/gu, '\u{FFFD}').replace(/(?![\n\t])\p{Cc}/gu, '')
}

const noControls = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters')

/** An identifier: 1–255 characters, without control characters or unpaired surrogates. */
export const Id = z
  .string('must be a string')
  .check(z.minLength(1, 'must not be empty'), z.maxLength(255, 'must be at most 255 characters'), noControls)

/** A discount code: 1–255 characters. Leading and trailing white space is removed. */
export const DiscountCode = z
  .string('must be a string')
  .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(255, 'must be at most 255 characters'), noControls)

export const Flag = z.boolean('must be true or false')

/** A non-empty string. */
export const Text = z.string('must be a string').check(z.minLength(1, 'must not be empty'))

/** A customer's email address: valid in HTML's `<input type=email>`, trimmed, at most 254 characters. */
export const Email = z
  .string('must be a string')
  .check(
    z.trim(),
    z.maxLength(254, { error: 'must be at most 254 characters', abort: true }),
    z.regex(htmlEmail, 'must be an email address'),
  )

/** A calendar date as a string in the form `YYYY-MM-DD`, because a `Date` object depends on a time zone. */
export const DateString = z.string('must be a string').check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date in the form YYYY-MM-DD', abort: true }),
  z.refine(isCalendarDate, {
    error: 'must be a date that exists',
    params: { code: 'invalid_date' satisfies ErrorCode },
  }),
)

/** Message for an invalid tax rate, after the name of its field. */
export const taxRateMessage = 'must be at least 0 and below 1: 0.08 means 8 %'

const moneySchemas = new WeakSet<z.core.$ZodType>()

/** A money amount in major units of the shop's currency, rounded to the minor unit in responses (MONEY-1). */
export const Money = asMoney(z.number('must be a number').check(z.gte(0, 'must not be negative')))

/** A tax rate as a decimal: 0.08 means 8 % (SUBSCRIPTION-3). */
export const TaxRate = z.number('must be a number').check(z.gte(0, taxRateMessage), z.lt(1, taxRateMessage))

/** Returns whether a value is a tax rate as a decimal. */
export function isTaxRate(value: unknown): boolean {
  return z.safeParse(TaxRate, value).success
}

/** A money amount greater than 0. */
export const PositiveMoney = asMoney(z.number('must be a number').check(z.gt(0, 'must be more than 0')))

/** Whether a schema describes a money amount. */
export function isMoney(schema: z.core.$ZodType): boolean {
  return moneySchemas.has(schema)
}

/** Returns whether a schema describes a money amount or a tax rate. */
export function isAmount(schema: z.core.$ZodType): boolean {
  return isMoney(schema) || schema === TaxRate
}

/** A whole number of units, at least 1. Avoids `z.int`, which would bundle the ranges of five number formats. */
export const Quantity = z
  .number('must be a whole number')
  .check(
    z.refine(Number.isSafeInteger, { error: 'must be a whole number', abort: true }),
    z.gte(1, 'must be at least 1'),
  )

/** An http or https URL without credentials. */
export const ImageUrl = z
  .string('must be a string')
  .check(z.refine(isImageUrl, 'must be an http(s) URL without credentials'))

function asMoney<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  moneySchemas.add(schema)
  return schema
}

/** Matches most valid image URLs. URLs with ports, other hosts or letters outside ASCII need a parser. */
const plainUrl = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?:\/[!-~]*)?$/

function isImageUrl(url: string): boolean {
  if (plainUrl.test(url)) return true
  return /^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i.test(url) && cleanText(url) === url && URL.canParse(url)
}

/** A product that can be offered (PRODUCTS-1). CONTRIBUTING.md lists the steps to add a field. */
export const Product = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl, 'must be a list'),
  compare_at_price: z.optional(Money),
  description: z.optional(z.string('must be a string')),
})
export type Product = z.infer<typeof Product>

/** Response data of listProducts (PRODUCTS-1). */
export const ProductList = z.object({ products: z.array(Product) })
export type ProductList = z.infer<typeof ProductList>

/** An item of a subscription. swapProduct takes its `id` as `current_item_id` (SUBSCRIPTION-1, SUBSCRIPTION-4). */
export const SubscriptionItem = z.object({
  id: Id,
  title: Text,
  price: Money,
  images: z.array(ImageUrl, 'must be a list'),
  quantity: Quantity,
  description: z.optional(z.string('must be a string')),
})
export type SubscriptionItem = z.infer<typeof SubscriptionItem>

/** Check of a list whose rows have unique ids. */
export const uniqueIds = z.refine<readonly { readonly id: string }[]>(
  (items) => new Set(items.map((item) => item.id)).size === items.length,
  'must not contain the same id twice',
)

/** Response data of getSubscription: the contents of the next order (SUBSCRIPTION-1). */
export const CurrentSubscription = z.object({
  next_billing_date: DateString,
  items: z.array(SubscriptionItem).check(uniqueIds),
  shipping_total_cost: z.optional(Money),
  order_discount_total: z.optional(Money),
  customer_tax_rate: z.optional(TaxRate),
})
export type CurrentSubscription = z.infer<typeof CurrentSubscription>

/** A cancelled subscription that can be reactivated (CANCELLED-1). */
export const CancelledSubscription = z.object({
  subscription_id: Id,
  title: Text,
  products: z.array(SubscriptionItem),
})
export type CancelledSubscription = z.infer<typeof CancelledSubscription>

/** Response data of listCancelledSubscriptions, in display order (CANCELLED-1, CANCELLED-2). */
export const CancelledSubscriptionList = z.object({ subscriptions: z.array(CancelledSubscription) })
export type CancelledSubscriptionList = z.infer<typeof CancelledSubscriptionList>

/** Response data of getDiscount: a percentage (15 means 15%) or a fixed amount, never both (DISCOUNT-1). */
export const Discount = z.discriminatedUnion('discount_type', [
  z.object({
    discount_type: z.literal('percentage'),
    discount_percentage: z.number().check(z.gt(0, 'must be more than 0'), z.lte(100, 'must be at most 100')),
  }),
  z.object({
    discount_type: z.literal('fixed_amount'),
    discount_amount: PositiveMoney,
  }),
])
export type Discount = z.infer<typeof Discount>

/** Input of getSubscription, sendNow and listCancelledSubscriptions: only the customer (EMAIL-1). */
export const CustomerInput = z.object({ email: Email })
export type CustomerInput = z.infer<typeof CustomerInput>

/** Output of a change. Rejects `false` and `{ success: false }`, which would otherwise be treated as a success. */
export const Nothing = z
  .unknown()
  .check(z.refine(isNotFailure, 'must not be false. To reject the request, throw a StoreError.'))

function isNotFailure(value: unknown): boolean {
  return value !== false && !(isObject(value) && 'success' in value && value['success'] === false)
}

/** Returns whether a value is a list. Never throws. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Returns whether a value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Compiled schemas by their source schema, shared by all integrations in a process. */
const compiledSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/**
 * Creates the function that validates a value. Compiles the schema on first use, because compilation takes longer than a
 * hundred validations. Throws only if a getter or a proxy in the value throws.
 */
export function createParser<Output>(schema: z.core.$ZodType<Output>) {
  let compiled: typeof schema | undefined
  return (value: unknown) => z.safeParse((compiled ??= compileOnce(schema)), value)
}

/** Creates a parser that returns the parsed output in `data`, or `undefined` for an invalid value. Never throws. */
export function createTryParser(schema: z.core.$ZodType): (value: unknown) => { readonly data: unknown } | undefined {
  const parse = createParser(schema)
  return (value) => {
    try {
      const result = parse(value)
      return result.success ? result : undefined
    } catch {
      return undefined
    }
  }
}

function compileOnce<Output>(schema: z.core.$ZodType<Output>): z.core.$ZodType<Output> {
  const known = compiledSchemas.get(schema)
  // oxlint-disable-next-line typescript/consistent-type-assertions -- stored under the schema of that output
  if (known !== undefined) return known as z.core.$ZodType<Output>
  const compiled = compile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled
}
