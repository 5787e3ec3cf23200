/**
 * Returns a fraction of an amount, rounded half up. The ratio 0.08 means 8%, as does the ratio 8 with `of` set to 100.
 *
 * Calculates with the decimal digits of the ratio as integers, because floats are inexact: 5% of 10.10 must be 0.51.
 */
export function calculatePart(amountMinor: number, ratio: number, of = 1): number {
  const { units, scale } = readDecimal(ratio)
  const divisor = scale * BigInt(of)
  return Number((2n * BigInt(amountMinor) * units + divisor) / (2n * divisor))
}

/** Converts a decimal number to two integers: 0.08 becomes 8 units at a scale of 100. */
function readDecimal(value: number): { readonly units: bigint; readonly scale: bigint } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0
    ? { units: units * 10n ** BigInt(-decimals), scale: 1n }
    : { units, scale: 10n ** BigInt(decimals) }
}

/**
 * Converts major units to whole minor units, rounded half up on the decimal value. With two decimals, 19.95 becomes
 * 1995, and 1.005 becomes 101.
 */
export function toMinor(amount: number, digits: number): number {
  const scale = 10 ** digits
  const minor = Math.round(amount * scale)
  // Most amounts have no more decimals than their currency, and are negative, infinite or NaN only by mistake.
  if (minor / scale === amount || !(amount >= 0 && amount < Infinity)) return minor
  return calculatePart(scale, amount)
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
