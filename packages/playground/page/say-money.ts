import { minorUnitDigits } from '@storeport/core'

/** Says an amount of minor units in the shop's currency: `$19.95`. */
export type SayMoney = (minor: number) => string

/** Makes the words for amounts of a currency, with the decimals of its minor unit: Intl knows others for some currencies. */
export function sayMoneyIn(currency: string): SayMoney {
  const digits = minorUnitDigits(currency)
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, ...decimals })
  return (minor) => format.format(minor / 10 ** digits)
}

/** A rate as a percentage with at most two decimals: 0.08 is `8%`. */
export function sayRate(rate: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
}
