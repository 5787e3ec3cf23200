import { StoreError } from '@storeport/core'
import type { DiscountUse, Item } from './customer-account.ts'
import { without } from './subscriptions.ts'
import { calculatePart } from '../shop/money.ts'
import type { DiscountTerms, Shop } from '../shop/shop.ts'

/** Returns the discount of a code, or `undefined` if the code does not exist, has expired or is used up. */
export function findUsable(code: string, shop: Shop): DiscountTerms | undefined {
  const terms = shop.discount(code)
  if (terms === undefined) return undefined
  if (terms.expires_on !== null && terms.expires_on < shop.today) return undefined
  if (terms.max_uses !== null && terms.uses >= terms.max_uses) return undefined
  return terms
}

/**
 * Returns the discount of a code, or `undefined` if no code is given. Throws `invalid_discount_code` for an unusable
 * code.
 */
export function requireDiscount(code: string | undefined, shop: Shop): DiscountTerms | undefined {
  if (code === undefined) return undefined
  const terms = findUsable(code, shop)
  if (terms === undefined) throw new StoreError('invalid_discount_code')
  return terms
}

/** Target of a discount: the next order of a subscription, one of its items, or an existing order. */
export type DiscountTarget = Pick<DiscountUse, 'subscription_id' | 'item_id' | 'order_id'>

/**
 * Creates a discount use with the fixed amount or the percentage of `baseMinor`. Returns `undefined` without a
 * discount.
 *
 * `baseMinor` is the price of the added units, the swapped item, or the items of a reactivated subscription's next
 * order (ADD-10).
 */
export function createUse(
  terms: DiscountTerms | undefined,
  baseMinor: number,
  target: DiscountTarget,
  shop: Shop,
): DiscountUse | undefined {
  if (terms === undefined) return undefined
  const { code, kind } = terms
  const amount_minor = kind === 'percentage' ? calculatePart(baseMinor, terms.percentage, 100) : terms.amount_minor
  return { id: shop.newId('discount_use'), code, ...target, used_on: shop.today, kind, amount_minor }
}

/** Appends a discount use, unless it is `undefined`. */
export function appendUse(uses: readonly DiscountUse[], use: DiscountUse | undefined): readonly DiscountUse[] {
  return use === undefined ? uses : [...uses, use]
}

/**
 * Removes the percentage discounts of a swapped item. Otherwise, repeated swaps with the same code would accumulate
 * discounts. Fixed amounts remain, because a fixed amount is applied only once to an order.
 */
export function dropPercentages(item: Item, uses: readonly DiscountUse[]): readonly DiscountUse[] {
  return without(uses, (use) => use.kind === 'percentage' && use.item_id === item.id)
}
