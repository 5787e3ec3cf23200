import type { CurrentSubscription, Discount } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { discountOf } from './read.ts'

/** The share of an amount in major units that a percentage takes, in cents; not rounded. */
export function shareOf(discount: Discount, amount: number): number {
  return discount.discount_type === 'percentage' ? amount * discount.discount_percentage : 0
}

/** Expects the next order to be lowered by so many cents; how half a cent is rounded is left to the shop. */
export function expectLowered(
  t: CheckContext,
  before: CurrentSubscription | undefined,
  after: CurrentSubscription,
  cents: number,
): void {
  const lowered = discountOf(after) - (before === undefined ? 0 : discountOf(before))
  t.that(
    Math.abs(lowered - cents) < 1,
    `order_discount_total to rise by about ${cents.toFixed(1)} cents, not by ${lowered}`,
  )
}
