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
import { describeIssue, isObject } from '../http/reply.ts'
import * as z from 'zod/mini'

/** What a field is for, which `--init` and `--save` write above it. */
const comments = new Map<z.core.$ZodType, string>()

function field<Schema extends z.core.$ZodType>(comment: string, schema: Schema): Schema {
  comments.set(schema, comment)
  return schema
}

const filled = z.string().check(z.minLength(1, 'must not be empty'))
const count = z.optional(z.int().check(z.gte(1, 'must be at least 1')))
const worth = z.strictObject({ code: filled, discount: Discount })
const product = z.strictObject({
  id: filled,
  price: z.number(),
  compare_at_price: z.optional(z.number()),
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
  unknown: unknown('Nobody has this address.', 'nobody.at.all@example.com'),
  empty: optional('A customer without any subscription, active or cancelled, and without recommendations.'),
  subscribed: optional(
    'A customer with two active subscriptions; the one that is billed first must lack one of the listed products.',
  ),
  cancelled: optional('A customer whose subscriptions are all cancelled; some can be reactivated.'),
  otherCustomer: optional(
    'Another customer, with one active subscription and a cancelled one that can be reactivated: nobody else may reach them.',
  ),
}

const products = {
  listed: field(
    'The start of the list that everybody gets, in its order. Prices are those of one unit: 19.95 is 19.95 of your currency.',
    z._default(z.array(product), []),
  ),
  unavailable: optional('A product that is sold out.'),
  unknown: unknown('No product has this id.', 'no-such-product'),
}

const subscriptions = {
  cancelled: field(
    'The cancelled ones of customers.cancelled that can be reactivated, most recently cancelled first.',
    z.optional(z.array(filled)),
  ),
  tooOld: optional('One of customers.cancelled that was cancelled too long ago.'),
  active: optional('An active one of customers.subscribed.'),
  unknown: unknown('No subscription has this id.', 'no-such-subscription'),
}

const discounts = {
  percentage: field('A percentage: 10 means 10 %.', z.optional(worth)),
  fixed: field('A fixed amount of your currency.', z.optional(worth)),
  expired: optional('A code that has expired.'),
  unknown: unknown('No discount has this code.', 'NO-SUCH-CODE'),
}

const actions = {
  known: optional('An action that may be run as often as one likes.'),
  unknown: unknown('No action has this id.', 'no-such-action'),
}

const shape = {
  customers: z.prefault(z.strictObject(customers), {}),
  products: z.prefault(z.strictObject(products), {}),
  recommended: field(
    'The products that are recommended to customers.subscribed, best first, whether or not they have them already.',
    z.optional(z.array(filled)),
  ),
  subscriptions: z.prefault(z.strictObject(subscriptions), {}),
  interval: field(
    'How often the subscription of customers.otherCustomer is billed: months, weeks, or both.',
    z.optional(z.strictObject({ months: count, weeks: count })),
  ),
  discounts: z.prefault(z.strictObject(discounts), {}),
  actions: z.prefault(z.strictObject(actions), {}),
  refusals: field(
    'Further calls that your shop refuses, and the code that must come back, such as a customer whose payment fails.',
    z._default(z.array(refusal), []),
  ),
  maxQuantity: field(
    'Most units that one line may hold.',
    z._default(z.int().check(z.gte(1, 'must be at least 1')), 1000),
  ),
  currency: field(
    'The currency of every amount, by its code of ISO 4217: no amount may have more decimals than it has.',
    z._default(
      z.string().check(z.refine(isCurrency, 'must be a code of ISO 4217 in capital letters, such as USD')),
      'USD',
    ),
  ),
  timeZone: field(
    'The time zone that decides what "today" is in your shop, such as "Europe/Paris".',
    z._default(z.string().check(z.refine(isTimeZone, 'must be the IANA name of a time zone')), 'UTC'),
  ),
  today: field(
    'Only where the date of the shop stands still: "today": "2026-11-20"',
    z.optional(z.string().check(z.refine((day) => isDate(day), 'must be a date of the form YYYY-MM-DD'))),
  ),
}

const schema = z.strictObject(shape)

/** What was read is not to be changed. */
type Fixed<Value> = Value extends readonly (infer One)[]
  ? readonly Fixed<One>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Fixed<Value[Field]> }
    : Value

/** What the checks may use of a shop: test customers, products, codes and actions. What is left out, the checks skip. */
export type Profile = Fixed<z.output<typeof schema>>
/** Email addresses of test customers; the checks change what these customers have. */
export type ProfileCustomers = Profile['customers']
/** Products of the shop, with prices in major units. */
export type ProfileProducts = Profile['products']
/** A product and what it costs. */
export type ProfileProduct = ProfileProducts['listed'][number]
/** Subscriptions by their ids. */
export type ProfileSubscriptions = Profile['subscriptions']
/** A time from one billing date to the next: calendar months, weeks, or both. */
export type Interval = NonNullable<Profile['interval']>
/** Discount codes. */
export type ProfileDiscounts = Profile['discounts']
/** A discount code and what getDiscount answers. */
export type ProfileDiscount = NonNullable<ProfileDiscounts['percentage']>
/** Custom actions. */
export type ProfileActions = Profile['actions']
/** A call that the shop refuses, and the code that must come back. */
export type ProfileRefusal = Profile['refusals'][number]

/** Reads a profile, as from a JSON file, and fills in what has a default; throws TypeError that names the wrong fields. */
export function parseProfile(value: unknown): Profile {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${['profile', ...issue.path].join('.')}: ${describeIssue(issue)}`,
  )
  throw new TypeError(problems.join('\n'))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A profile as a file, each field with what it is for: `--init` and `--save` write it so. */
export function commentProfile(profile: Profile): string {
  return `// Which test data your shop has: the checks use it, and change what these customers have.
// Put your own values in place of these, and leave out what you do not have: then the checks that need it are skipped.
// Use it with: storeport-conformance https://shop.example --profile FILE
${writeObject({ ...shape, customers, products, subscriptions, discounts, actions }, profile)}
`
}

interface Fields {
  readonly [name: string]: z.core.$ZodType | Fields
}

/** An object as JSON, each field below its comment; of a field without a value the comment alone. */
function writeObject(fields: Fields, value: object): string {
  const values = new Map<string, unknown>(Object.entries(value))
  const last = Object.keys(fields).findLast((name) => values.get(name) !== undefined)
  const lines = Object.entries(fields).flatMap(([name, about]) => {
    const held = values.get(name)
    const isField = about instanceof z.core.$ZodType
    const json = !isField && isObject(held) ? writeObject(about, held) : writeValue(held)
    const line = held === undefined ? [] : [`${JSON.stringify(name)}: ${json}${name === last ? '' : ','}`]
    return isField ? [`// ${comments.get(about)}`, ...line] : line
  })
  return `{\n${indent(lines.join('\n'))}\n}`
}

/** What fits is written into one line. */
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

/** Reads a profile from a file, in the form that `--init` writes; rejects with TypeError for one that cannot be read or holds no profile. */
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

/** Reads JSON with `//` and block comments and commas before a closing bracket; throws SyntaxError that names the line. */
export function parseJsonc(text: string): unknown {
  const errors: ParseError[] = []
  const json = text.replace(/^\uFEFF/, '')
  const value: unknown = parse(json, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return value
  throw new SyntaxError(`is no JSON from line ${json.slice(0, first.offset).split('\n').length} on`)
}
