import * as z from 'zod/mini'
import { isCalendarDate } from './calendar.ts'
import type { ErrorCode } from './errors.ts'

/** The `params` of a zod issue for a field with its own error code. */
interface IssueParams {
  readonly code: ErrorCode
}

/** Email pattern from the HTML standard. Copied, because importing `z.regexes` would bundle forty other patterns. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

const invalidDate: IssueParams = { code: 'invalid_date' }

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
export const DateString = z
  .string('must be a string')
  .check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date in the form YYYY-MM-DD', abort: true }),
    z.refine(isCalendarDate, { error: 'must be a date that exists', params: invalidDate }),
  )

/** Message for an invalid tax rate, after the name of its field. */
export const taxRateMessage = 'must be at least 0 and below 1: 0.08 means 8 %'

const moneySchemas = new WeakSet<z.core.$ZodType>()

/** A money amount in major units of the shop's currency, rounded to the minor unit in responses (MONEY-1). */
export const Money = asMoney(z.number('must be a number').check(z.gte(0, 'must not be negative')))

/** A tax rate as a decimal: 0.08 means 8 % (SUBSCRIPTION-3). */
export const TaxRate = z.number('must be a number').check(z.gte(0, taxRateMessage), z.lt(1, taxRateMessage))

/** Whether a value is a tax rate as a decimal. */
export function isTaxRate(value: unknown): boolean {
  return z.safeParse(TaxRate, value).success
}

/** A money amount greater than 0. */
export const PositiveMoney = asMoney(z.number('must be a number').check(z.gt(0, 'must be more than 0')))

/** Whether a schema describes a money amount. */
export function isMoney(schema: z.core.$ZodType): boolean {
  return moneySchemas.has(schema)
}

/** Whether a schema describes a money amount or a tax rate. */
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

/** Most valid image URLs, without the rarer ones that need a parser: other hosts, ports, and letters outside ASCII. */
const plainUrl = /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?:\/[!-~]*)?$/

function isImageUrl(url: string): boolean {
  if (plainUrl.test(url)) return true
  return /^https?:\/\/[^/?#@\\\s]+(?:[/?#]\S*)?$/i.test(url) && cleanText(url) === url && URL.canParse(url)
}

/** ISO 4217 currency codes, grouped by number of decimals. For some codes, Node's `Intl` returns a different number. */
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

/** Whether a string is an ISO 4217 currency code in capital letters. */
export function isCurrency(code: string): boolean {
  return digitsOf(code) !== undefined
}

/** Returns the number of decimals of a currency: JPY 0, USD 2, KWD 3. Throws TypeError for an invalid ISO 4217 code. */
export function minorUnitDigits(currency: string): number {
  const digits = digitsOf(currency)
  if (digits === undefined) throw new TypeError('currency: must be an ISO 4217 code in capital letters, such as USD')
  return digits
}

function digitsOf(code: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined
  return codes.find(([, list]) => list.includes(code))?.[0]
}
