import { Discount, isCurrency, isDate, isEndpointName, isErrorCode } from '@storeport/core'
import * as z from 'zod/mini'
import { describeIssue } from '../http/json.ts'
import type {
  Interval,
  Profile,
  ProfileActions,
  ProfileCustomers,
  ProfileDiscount,
  ProfileDiscounts,
  ProfileProduct,
  ProfileProducts,
  ProfileSubscriptions,
} from './profile.ts'

/** A schema for each field, so that a new field of the profile does not compile until it is read. */
type Shape<Value> = { readonly [Field in keyof Value]-?: z.core.$ZodType }

const text = z.string().check(z.minLength(1, 'must not be empty'))
const optionalText = z.optional(text)
const count = z.optional(z.int().check(z.gte(1, 'must be at least 1')))
const worth = z.optional(z.strictObject({ code: text, discount: Discount } satisfies Shape<ProfileDiscount>))

const schema = z.strictObject({
  customers: z.prefault(
    z.strictObject({
      unknown: z._default(text, 'nobody.at.all@example.com'),
      empty: optionalText,
      subscribed: optionalText,
      cancelled: optionalText,
      neighbour: optionalText,
    } satisfies Shape<ProfileCustomers>),
    {},
  ),
  products: z.prefault(
    z.strictObject({
      listed: z._default(
        z.array(
          z.strictObject({
            id: text,
            price: z.number(),
            compare_at_price: z.optional(z.number()),
          } satisfies Shape<ProfileProduct>),
        ),
        [],
      ),
      unavailable: optionalText,
      unknown: z._default(text, 'no-such-product'),
    } satisfies Shape<ProfileProducts>),
    {},
  ),
  recommended: z.optional(z.array(text)),
  subscriptions: z.prefault(
    z.strictObject({
      cancelled: z.optional(z.array(text)),
      tooOld: optionalText,
      active: optionalText,
      unknown: z._default(text, 'no-such-subscription'),
    } satisfies Shape<ProfileSubscriptions>),
    {},
  ),
  interval: z.optional(z.strictObject({ months: count, weeks: count } satisfies Shape<Interval>)),
  discounts: z.prefault(
    z.strictObject({
      percentage: worth,
      fixed: worth,
      expired: optionalText,
      unknown: z._default(text, 'NO-SUCH-CODE'),
    } satisfies Shape<ProfileDiscounts>),
    {},
  ),
  actions: z.prefault(
    z.strictObject({
      known: optionalText,
      unknown: z._default(text, 'no-such-action'),
    } satisfies Shape<ProfileActions>),
    {},
  ),
  refusals: z._default(
    z.array(
      z.strictObject({
        call: z.custom<Profile['refusals'][number]['call']>(
          (name) => typeof name === 'string' && isEndpointName(name),
          'must be the name of an endpoint',
        ),
        input: z.record(z.string(), z.unknown()),
        code: z.custom<Profile['refusals'][number]['code']>(isErrorCode, 'must be an error code of the contract'),
      }),
    ),
    [],
  ),
  maxQuantity: z._default(z.int().check(z.gte(1, 'must be at least 1')), 1000),
  currency: z._default(
    z.string().check(z.refine(isCurrency, 'must be a code of ISO 4217 in capital letters, such as USD')),
    'USD',
  ),
  timeZone: z._default(z.string().check(z.refine(isTimeZone, 'must be the IANA name of a time zone')), 'UTC'),
  today: z.optional(z.string().check(z.refine((day) => isDate(day), 'must be a date of the form YYYY-MM-DD'))),
} satisfies Shape<Profile>)

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
