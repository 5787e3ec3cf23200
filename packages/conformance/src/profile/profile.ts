import { readFile } from 'node:fs/promises'
import {
  Discount,
  type EndpointName,
  type ErrorCode,
  isCurrency,
  isDate,
  isEndpointName,
  isErrorCode,
} from '@storeport/core'
import { parse, type ParseError } from 'jsonc-parser'
import { describeIssue, isObject, ownMessages } from '../http/reply.ts'
import * as z from 'zod/mini'

/** Comments that `--save` writes above each field. */
const comments = new Map<z.core.$ZodType, string>()

function field<Schema extends z.core.$ZodType>(comment: string, schema: Schema): Schema {
  comments.set(schema, comment)
  return schema
}

/** Default time zone of a profile. Dates are in UTC, and may differ from the shop's dates by one day. */
export const unknownZone = 'Etc/UTC'

const filled = z.string().check(z.minLength(1, 'must not be empty'))
const count = z.optional(z.int().check(z.gte(1, 'must be at least 1')))
const worth = z.strictObject({ code: filled, discount: Discount })
const product = z.strictObject({
  id: filled,
  price: z.number(),
  compare_at_price: z.optional(z.number()),
  available: z.optional(z.int().check(z.gte(0, 'must be at least 0'))),
})
const refusal = z.strictObject({
  call: z.custom<EndpointName>(
    (name) => typeof name === 'string' && isEndpointName(name),
    'must be the name of an endpoint',
  ),
  input: z.record(z.string(), z.unknown()),
  code: z.custom<ErrorCode>(isErrorCode, 'must be an error code of the contract'),
})

const optional = (comment: string) => field(comment, z.optional(filled))
const unknown = (comment: string, value: string) => field(comment, z._default(filled, value))

const customers = {
  unknown: unknown('No customer has this email address.', 'nobody.at.all@example.com'),
  empty: optional('A customer with no subscriptions, active or cancelled, and no recommendations.'),
  subscribed: optional(
    'A customer with two active subscriptions. At least one of the listed products must not be in the subscription that is billed first.',
  ),
  cancelled: optional('A customer whose subscriptions are all cancelled. Some can be reactivated.'),
  otherCustomer: optional(
    'Another customer with one active subscription and one cancelled subscription that can be reactivated. No other customer may access these subscriptions.',
  ),
  more: field(
    'Further customers with two active subscriptions each, whose orders are also repeated: "more": ["dana@shop.example"]',
    z.optional(z.array(filled)),
  ),
}

const products = {
  listed: field(
    'The first products of the general list, in order. Prices are per unit, in the major unit of the currency, such as 19.95. A product can have `available`, the maximum number of units to order.',
    z._default(z.array(product), []),
  ),
  unavailable: optional('A sold-out product.'),
  unknown: unknown('No product has this id.', 'no-such-product'),
}

const subscriptions = {
  cancelled: field(
    'The subscriptions of customers.cancelled that can be reactivated, most recently cancelled first.',
    z.optional(z.array(filled)),
  ),
  tooOld: optional('A subscription of customers.cancelled that was cancelled too long ago.'),
  active: optional('An active subscription of customers.subscribed.'),
  unknown: unknown('No subscription has this id.', 'no-such-subscription'),
}

const discounts = {
  percentage: field('A percentage: 10 means 10%.', z.optional(worth)),
  fixed: field('A fixed amount in your currency.', z.optional(worth)),
  expired: optional('An expired code.'),
  unknown: unknown('No discount has this code.', 'NO-SUCH-CODE'),
}

const actions = {
  known: optional('An action that is safe to run repeatedly.'),
  unknown: unknown('No action has this id.', 'no-such-action'),
}

const shape = {
  customers: z.prefault(z.strictObject(customers), {}),
  products: z.prefault(z.strictObject(products), {}),
  recommended: field(
    'The products that are recommended to customers.subscribed, best first, including products that the customer already has.',
    z.optional(z.array(filled)),
  ),
  subscriptions: z.prefault(z.strictObject(subscriptions), {}),
  interval: field(
    'The billing interval of customers.otherCustomer: months, weeks, or both.',
    z.optional(z.strictObject({ months: count, weeks: count })),
  ),
  discounts: z.prefault(z.strictObject(discounts), {}),
  actions: z.prefault(z.strictObject(actions), {}),
  refusals: field(
    'Additional requests that your shop rejects, each with its error code. Example: a request for a customer whose payment fails.',
    z._default(z.array(refusal), []),
  ),
  maxQuantity: field('Maximum quantity of one line.', z._default(z.int().check(z.gte(1, 'must be at least 1')), 1000)),
  currency: field(
    'The ISO 4217 code of the currency. It sets the maximum number of decimals in all amounts.',
    z._default(
      z.string().check(z.refine(isCurrency, 'must be an ISO 4217 code in capital letters, such as USD')),
      'USD',
    ),
  ),
  timeZone: field(
    'The time zone that defines "today" in your shop, such as "Europe/Paris". "Etc/UTC" means that it is unknown.',
    z._default(
      z.string().check(z.refine(isTimeZone, 'must be an IANA time zone name, such as Europe/Paris')),
      unknownZone,
    ),
  ),
  today: field(
    'Only for a shop with a fixed date: "today": "2026-11-20"',
    z.optional(z.string().check(z.refine((day) => isDate(day), 'must be a date in the form YYYY-MM-DD'))),
  ),
}

const schema = z.strictObject(shape)

/** Makes a type deeply read-only. */
type Fixed<Value> = Value extends readonly (infer One)[]
  ? readonly Fixed<One>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Fixed<Value[Field]> }
    : Value

/** Test data of a shop: customers, products, codes and actions. Checks that need a missing field are skipped. */
export type Profile = Fixed<z.output<typeof schema>>
/** A billing interval: a number of calendar months, a number of weeks, or the sum of both. */
export type Interval = NonNullable<Profile['interval']>

/** Parses a profile, such as the content of a JSON file, and adds defaults. Throws TypeError for invalid fields. */
export function parseProfile(value: unknown): Profile {
  const result = z.safeParse(schema, value, ownMessages)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${['profile', ...issue.path].join('.')}: ${describeIssue(issue)}`,
  )
  throw new TypeError(problems.join('\n'))
}

/** Returns whether a string is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Formats a profile as JSONC with comments, for `--save`. A missing field is a comment with a value of `examples`. */
export function commentProfile(profile: Profile, examples: Profile): string {
  return `// Test data for your shop. The checks use it and change the data of these customers.
// Fields after // are examples. Replace those that your shop has, and remove their //. Checks that need other fields are skipped.
// Usage: storeport-conformance https://shop.example --profile FILE
${writeObject({ ...shape, customers, products, subscriptions, discounts, actions }, profile, examples)}
`
}

interface Fields {
  readonly [name: string]: z.core.$ZodType | Fields
}

/** Formats an object as JSON with a comment above each field. A field without a value is part of the comment. */
function writeObject(fields: Fields, value: object, examples: unknown): string {
  const values = new Map<string, unknown>(Object.entries(value))
  const given = new Map<string, unknown>(isObject(examples) ? Object.entries(examples) : [])
  const lines = Object.entries(fields).flatMap(([name, about]) => {
    const held = values.get(name)
    const isField = about instanceof z.core.$ZodType
    const example = given.get(name)
    const json = !isField && isObject(held) ? writeObject(about, held, example) : writeValue(held ?? example)
    const written = json === undefined ? [] : [`${JSON.stringify(name)}: ${json},`]
    const line = held === undefined ? written.map((one) => one.replace(/^/gm, '// ')) : written
    return isField ? [`// ${comments.get(about)}`, ...line] : line
  })
  return `{\n${indent(lines.join('\n'))}\n}`
}

/** Formats a value as JSON, on one line if it fits. */
function writeValue(value: unknown): string {
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return JSON.stringify(value)
  const parts = isList
    ? value.map(writeValue)
    : Object.entries(value).map(([name, held]) => `${JSON.stringify(name)}: ${writeValue(held)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  return line.length <= 100 && !line.includes('\n') ? line : `${open}\n${indent(parts.join(',\n'))}\n${close}`
}

function indent(lines: string): string {
  return lines.replace(/^/gm, '  ')
}

/** Reads a profile from a JSONC file. Rejects with TypeError if the file cannot be read or is not a valid profile. */
export async function readProfile(file: string): Promise<Profile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TypeError(`the file ${file} cannot be read`, { cause })
  })
  try {
    return parseProfile(parseJsonc(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new TypeError(`${file} ${error.message}`, { cause: error })
    if (error instanceof TypeError) throw new TypeError(`${file}\n${error.message}`, { cause: error })
    throw error
  }
}

/** Parses JSON with comments and trailing commas. Throws SyntaxError with the line number. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = []
  const json = text.replace(/^\uFEFF/, '')
  const value: unknown = parse(json, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return value
  throw new SyntaxError(`is not valid JSON at line ${json.slice(0, first.offset).split('\n').length}`)
}
