/** Says an amount of minor units in the shop's currency: `$19.95`. */
export type SayMoney = (minor: number) => string

/** Makes the words for amounts of a currency; an unknown currency is said by its name. */
export function sayMoneyIn(currency: string): SayMoney {
  const format = formatOf(currency)
  return (minor) => format.format(minor / 100)
}

/** A rate as a percentage with at most two decimals: 0.08 is `8%`. */
export function sayRate(rate: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
}

function formatOf(currency: string): Intl.NumberFormat {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  if (!/^[A-Z]{3}$/.test(currency)) return new Intl.NumberFormat('en', digits)
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits })
}
