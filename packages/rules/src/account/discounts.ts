import { StoreError } from '@storeport/core'
import type { DiscountUse, Item } from './customer-account.ts'
import { without } from './subscriptions.ts'
import { takePart } from '../shop/money.ts'
import type { DiscountTerms, Shop } from '../shop/shop.ts'

/** The discount with a code, unless it is unknown, expired or used up. */
export function findUsable(code: string, shop: Shop): DiscountTerms | undefined {
  const terms = shop.discount(code)
  if (terms === undefined) return undefined
  if (terms.expires_on !== null && terms.expires_on < shop.today) return undefined
  if (terms.max_uses !== null && terms.uses >= terms.max_uses) return undefined
  return terms
}

/** The discount that a call asks for, if it does; throws `invalid_discount_code` when the code cannot be used. */
export function requireUsable(code: string | undefined, shop: Shop): DiscountTerms | undefined {
  if (code === undefined) return undefined
  const terms = findUsable(code, shop)
  if (terms === undefined) throw new StoreError('invalid_discount_code')
  return terms
}

/** Where a discount goes: to the next order of a subscription, for one of its items or for all, or to an order. */
export type DiscountTarget = Pick<DiscountUse, 'subscription_id' | 'item_id' | 'order_id'>

/**
 * The use of a discount, which takes its percentage of `baseMinor` off or its fixed amount; none without a discount.
 *
 * The base of a percentage is the units that were added (addProduct), the line that was swapped (swapProduct), or the
 * items of the next order (reactivateSubscription) (ADD-10).
 */
export function createUse(
  terms: DiscountTerms | undefined,
  baseMinor: number,
  target: DiscountTarget,
  shop: Shop,
): DiscountUse | undefined {
  if (terms === undefined) return undefined
  const { code, kind } = terms
  const amount_minor = kind === 'percentage' ? takePart(baseMinor, terms.percentage, 100) : terms.amount_minor
  return { id: shop.newId('discount_use'), code, ...target, used_on: shop.today, kind, amount_minor }
}

/** The uses with a further one, if there is one. */
export function withUse(uses: readonly DiscountUse[], use: DiscountUse | undefined): readonly DiscountUse[] {
  return use === undefined ? uses : [...uses, use]
}

/**
 * The uses without the percentages of an item, for when it is swapped away: else swapping back and forth with one code
 * would lower the order a bit more every time. A fixed amount stays, since it counts once however often it is used.
 */
export function dropPercentages(item: Item, uses: readonly DiscountUse[]): readonly DiscountUse[] {
  return without(uses, (use) => use.kind === 'percentage' && use.item_id === item.id)
}
