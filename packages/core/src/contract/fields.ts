import * as z from 'zod/mini'
import { isCalendarDate } from './calendar.ts'
import type { ErrorCode } from './errors.ts'

/** Zod issues carry this in `params` when an invalid field has a code of its own. */
interface IssueParams {
  readonly code: ErrorCode
}

/** The rule of the HTML standard, which `z.regexes` has too, besides forty others that would all go into the bundle. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const invalidDate: IssueParams = { code: 'invalid_date' }

const noControls = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')

/** An identifier: 1–255 characters, none of them a control character or half a surrogate pair. */
export const Id = z
  .string('must be a string')
  .check(z.minLength(1, 'must not be empty'), z.maxLength(255, 'must be at most 255 characters'), noControls)

/** A discount code: white space at its ends, tab and newline included, does not count. */
export const DiscountCode = z
  .string('must be a string')
  .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(255, 'must be at most 255 characters'), noControls)

/** A yes or no. */
export const Flag = z.boolean('must be true or false')

/** A text that is not empty. */
export const Text = z.string('must be a string').check(z.minLength(1, 'must not be empty'))

/** A customer's email, by the rule of HTML's `<input type=email>`, trimmed, at most 254 characters. */
export const Email = z
  .string('must be a string')
  .check(
    z.trim(),
    z.maxLength(254, { error: 'must be at most 254 characters', abort: true }),
    z.regex(htmlEmail, 'must be an email address'),
  )

/** A calendar date `YYYY-MM-DD`; never a `Date`, so that no time zone can shift it. */
export const DateString = z
  .string('must be a string')
  .check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date of the form YYYY-MM-DD', abort: true }),
    z.refine(isCalendarDate, { error: 'must be a date that exists', params: invalidDate }),
  )

/** The schemas of amounts, by which they are found in an output. */
const moneySchemas = new WeakSet<z.core.$ZodType>()

/** An amount of money in major units of the shop's one currency; an integration rounds it to the minor unit on the way out (MONEY-1). */
export const Money = asMoney(z.number('must be a number').check(z.gte(0, 'must not be negative')))

/** An amount of money that is not nothing. */
export const PositiveMoney = asMoney(z.number('must be a number').check(z.gt(0, 'must be more than 0')))

/** Whether a schema is that of an amount of money. */
export function isMoney(schema: z.core.$ZodType): boolean {
  return moneySchemas.has(schema)
}

/** A whole number of units, at least 1; `z.int` would bring the ranges of five formats of numbers into the bundle. */
export const Quantity = z
  .number('must be a whole number')
  .check(
    z.refine(Number.isSafeInteger, { error: 'must be a whole number', abort: true }),
    z.gte(1, 'must be at least 1'),
  )

/** An http or https address without credentials. */
export const ImageUrl = z
  .string('must be a string')
  .check(z.refine(isImageUrl, 'must be an http(s) URL without credentials'))

function asMoney<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  moneySchemas.add(schema)
  return schema
}

function isImageUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i.test(text) && URL.canParse(text)
}

/** The codes of ISO 4217, by the number of decimals of their minor unit; Node's Intl knows other decimals for some of them. */
const codes: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
      'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
      'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
      'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
      'SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG ' +
      'YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Whether a text is a currency code of ISO 4217, in capital letters. */
export function isCurrency(code: string): boolean {
  return digitsOf(code) !== undefined
}

/** Returns the decimals of a currency's minor unit: JPY 0, USD 2, KWD 3; throws TypeError for a code that ISO 4217 does not have. */
export function minorUnitDigits(currency: string): number {
  const digits = digitsOf(currency)
  if (digits === undefined) throw new TypeError('currency: must be a code of ISO 4217 in capital letters, such as USD')
  return digits
}

function digitsOf(code: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined
  return codes.find(([, list]) => list.includes(code))?.[0]
}
