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
