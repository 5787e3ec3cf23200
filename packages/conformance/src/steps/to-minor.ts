import { minorUnitDigits } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'

/** An amount in major units as minor units of the shop's currency, not rounded: 19.95 is 1995 of USD, 1995 is 1995 of JPY. */
export function toMinor({ profile }: Pick<CheckContext, 'profile'>, amount: number): number {
  return amount * 10 ** minorUnitDigits(profile.currency)
}
