import { calculatePart, StoreError } from '@storeport/core'
import type { CustomerAccount, DiscountUse, Item } from './customer-account.ts'
import { without } from './subscriptions.ts'
import { codeKey, type DiscountTerms, type Shop } from '../shop/shop.ts'

/**
 * Returns the discount of a code, or `undefined` if the code does not exist, has expired or is used up. An order that
 * already has the code can use it again, because the code counts once for an order.
 */
export function findUsable(
  code: string,
  shop: Shop,
  hasCode: (code: string) => boolean = () => false,
): DiscountTerms | undefined {
  const terms = shop.discount(code)
  if (terms === undefined) return undefined
  if (terms.expires_on !== null && terms.expires_on < shop.today) return undefined
  if (terms.max_uses !== null && terms.uses >= terms.max_uses && !hasCode(terms.code)) return undefined
  return terms
}

/**
 * Returns the discount of a code for the next order of a subscription, or for a new order. Returns `undefined` if no
 * code is given. Throws `invalid_discount_code` for an unusable code.
 */
export function requireDiscount(
  code: string | undefined,
  shop: Shop,
  { discount_uses }: Pick<CustomerAccount, 'discount_uses'>,
  subscriptionId: string | null,
): DiscountTerms | undefined {
  if (code === undefined) return undefined
  const terms = findUsable(code, shop, (used) => findUse(discount_uses, used, subscriptionId) !== undefined)
  if (terms === undefined) throw new StoreError('invalid_discount_code')
  return terms
}

function findUse(uses: readonly DiscountUse[], code: string, subscriptionId: string | null): DiscountUse | undefined {
  const key = codeKey(code)
  return uses.find(
    (use) => use.order_id === null && use.subscription_id === subscriptionId && codeKey(use.code) === key,
  )
}

/** Order that a discount code reduces. */
export type DiscountTarget = Pick<DiscountUse, 'subscription_id' | 'order_id'>

/**
 * Returns the order's use of a code and all uses. Appends a use without units if the order does not have the code.
 * Without a discount, returns the same uses.
 */
export function openUse(
  uses: readonly DiscountUse[],
  terms: DiscountTerms | undefined,
  target: DiscountTarget,
  shop: Shop,
): { readonly use: DiscountUse | undefined; readonly uses: readonly DiscountUse[] } {
  if (terms === undefined) return { use: undefined, uses }
  const known = findUse(uses, terms.code, target.subscription_id)
  if (known !== undefined) return { use: known, uses }
  const { expires_on: _expiry, max_uses: _limit, uses: _count, ...worth } = terms
  const use = { id: shop.newId('discount_use'), ...worth, ...target, items: [], used_on: shop.today }
  return { use, uses: [...uses, use] }
}

/** Returns the number of units of an item that a code applies to. */
export function discountedUnits({ items }: DiscountUse, item: Pick<Item, 'id' | 'quantity'> | undefined): number {
  const units = items.find(({ item_id }) => item_id === item?.id)?.quantity ?? 0
  // The merchant may have reduced the quantity.
  return Math.min(units, item?.quantity ?? 0)
}

/** Returns the uses with other units of an item. Returns the same objects for unchanged uses. */
export function setUnits(
  uses: readonly DiscountUse[],
  itemId: string,
  unitsIn: (use: DiscountUse) => number,
): readonly DiscountUse[] {
  const changed = uses.map((use): DiscountUse => {
    const known = use.items.find(({ item_id }) => item_id === itemId)
    const quantity = unitsIn(use)
    if (quantity === (known?.quantity ?? 0)) return use
    const others = without(use.items, (units) => units === known)
    return { ...use, items: quantity > 0 ? [...others, { item_id: itemId, quantity }] : others }
  })
  return changed.every((use, place) => use === uses[place]) ? uses : changed
}

/**
 * Returns the discount of a use: the percentage of the full price of its units, rounded half up, or the fixed amount if
 * any of its units is left.
 */
export function discountOf(use: DiscountUse, items: readonly Pick<Item, 'id' | 'quantity' | 'price_minor'>[]): number {
  const discounted = items.filter((item) => discountedUnits(use, item) > 0)
  if (use.kind === 'fixed_amount') return discounted.length > 0 ? use.amount_minor : 0
  const price = discounted.reduce((sum, item) => sum + discountedUnits(use, item) * item.price_minor, 0)
  return calculatePart(price, use.percentage, 100)
}
