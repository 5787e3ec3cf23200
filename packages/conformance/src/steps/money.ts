import { type CurrentSubscription, type Discount, minorUnitDigits } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'

/** The share of an amount in major units that a percentage takes, in major units; not rounded. */
export function shareOf(discount: Discount, amount: number): number {
  return discount.discount_type === 'percentage' ? (amount * discount.discount_percentage) / 100 : 0
}

/** Expects the next order to be lowered by an amount in major units; how half a minor unit is rounded is left to the shop. */
export function expectLowered(
  t: CheckContext,
  before: CurrentSubscription | undefined,
  after: CurrentSubscription,
  amount: number,
): void {
  const expected = toMinor(t, amount)
  const lowered = loweredBy(t, before, after)
  t.that(
    Math.abs(lowered - expected) < 1,
    `order_discount_total to rise by about ${expected.toFixed(1)} minor units of ${t.profile.currency}, not by ${lowered}`,
  )
}

/** By how much more one order is lowered than another, in whole minor units of the shop's currency. */
export function loweredBy(
  t: CheckContext,
  before: CurrentSubscription | undefined,
  after: CurrentSubscription,
): number {
  const [less = 0, more = 0] = [before, after].map((one) => Math.round(toMinor(t, one?.order_discount_total ?? 0)))
  return more - less
}

/** An amount in major units as minor units of the shop's currency, not rounded: 19.95 is 1995 of USD, 1995 is 1995 of JPY. */
export function toMinor({ profile }: Pick<CheckContext, 'profile'>, amount: number): number {
  return amount * 10 ** minorUnitDigits(profile.currency)
}
