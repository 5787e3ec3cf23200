import { Discount, isCalendarDate, isEndpointName, isErrorCode } from '@storeport/core'
import * as z from 'zod/mini'
import { describeIssue } from '../engine/describe-issue.ts'
import type { Profile } from './profile.ts'

const text = z.string().check(z.minLength(1, 'must not be empty'))
const optionalText = z.optional(text)
const count = z.optional(z.int().check(z.gte(1, 'must be at least 1')))
const worth = z.optional(z.strictObject({ code: text, discount: Discount }))

const schema = z.strictObject({
  customers: z.prefault(
    z.strictObject({
      unknown: z._default(text, 'nobody.at.all@example.com'),
      empty: optionalText,
      subscribed: optionalText,
      cancelled: optionalText,
      neighbour: optionalText,
    }),
    {},
  ),
  products: z.prefault(
    z.strictObject({
      listed: z._default(
        z.array(z.strictObject({ id: text, price: z.number(), compare_at_price: z.optional(z.number()) })),
        [],
      ),
      unavailable: optionalText,
      unknown: z._default(text, 'no-such-product'),
    }),
    {},
  ),
  recommended: z.optional(z.array(text)),
  subscriptions: z.prefault(
    z.strictObject({
      cancelled: z.optional(z.array(text)),
      tooOld: optionalText,
      active: optionalText,
      unknown: z._default(text, 'no-such-subscription'),
    }),
    {},
  ),
  interval: z.optional(z.strictObject({ months: count, weeks: count })),
  discounts: z.prefault(
    z.strictObject({
      percentage: worth,
      fixed: worth,
      expired: optionalText,
      unknown: z._default(text, 'NO-SUCH-CODE'),
    }),
    {},
  ),
  actions: z.prefault(z.strictObject({ known: optionalText, unknown: z._default(text, 'no-such-action') }), {}),
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
  timeZone: z._default(z.string().check(z.refine(isTimeZone, 'must be the IANA name of a time zone')), 'UTC'),
  today: z.optional(z.string().check(z.refine(isDate, 'must be a date of the form YYYY-MM-DD'))),
})

/** Reads a profile, as from a JSON file, and fills in what has a default; throws TypeError that names the wrong fields. */
export function parseProfile(value: unknown): Profile {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${['profile', ...issue.path].join('.')}: ${describeIssue(issue)}`,
  )
  throw new TypeError(problems.join('\n'))
}

function isDate(day: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && isCalendarDate(day)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
