import { StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import type { LoadedCustomer } from '../account/load-customer.ts'
import type { FoundMark } from '../account/mark.ts'
import { idOf, subscriptionOf } from '../account/to-account.ts'
import type { UsablePromotion } from '../shop/find-promotion-code.ts'

/** An object with discounts in a Stripe response. Invoice items and subscriptions are loaded with the discounts expanded. */
type Discounted = Pick<Stripe.InvoiceItem, 'discounts'>

/** Discounts in a Stripe request: ids of existing discounts, and promotion codes to redeem. */
type DiscountParams = { discount?: string; promotion_code?: string }[]

/** The parameters with which a change applies a code. */
interface PlacedCode {
  readonly line?: { readonly discounts: DiscountParams }
  readonly order?: { readonly discounts: DiscountParams }
  /** Id of the code for the mark; `undefined` if an undo must not remove the code. */
  readonly promotion?: string | undefined
}

/**
 * Applies a percentage to the line, and a fixed amount to the subscription or to the one-time line. Throws StoreError
 * `invalid_discount_code` where Stripe cannot bill the code exactly: a percentage would reduce the earlier units of a line as well, and a
 * fixed amount on two objects counts twice (ADD-11). `line` is the existing line, if any.
 */
export function placeCode(
  promotion: UsablePromotion | undefined,
  current: Stripe.Subscription,
  loaded: LoadedCustomer,
  line: (Discounted & { readonly id: string }) | undefined,
  one_time: boolean,
): PlacedCode {
  if (promotion === undefined) return {}
  const { id: code } = promotion
  const isOfLine = isPercentage(promotion) || one_time
  const place = isOfLine ? line : current
  if (place !== undefined && hasCode(place, code)) {
    // A code that the merchant applied has no mark, so no undo removes it. An undo removes a percentage with the line.
    const isShared = !isPercentage(promotion) && isUsed(code, place.id, current, loaded)
    return isShared ? { promotion: code } : {}
  }
  const pending = loaded.invoiceItems.filter((item) => item.invoice === null && subscriptionOf(item) === current.id)
  const isElsewhere = [current, ...pending].some((other) => hasCode(other, code))
  if (isPercentage(promotion) ? line !== undefined : isElsewhere)
    throw new StoreError('invalid_discount_code', 'The code is used in the order, or cannot be used for this line.')
  const discounts = [...keepDiscounts(place), { promotion_code: code }]
  return { [isOfLine ? 'line' : 'order']: { discounts }, promotion: code }
}

/** Replaces the codes of a line with a percentage, so that repeated swaps do not accumulate discounts. Coupons of the merchant remain. */
export function replaceCode(line: Discounted, code: string): DiscountParams {
  return [...keepDiscounts(line, (own) => own === undefined), { promotion_code: code }]
}

/** Adds a code to an object. */
export function addCode(place: Discounted, code: string) {
  return hasCode(place, code) ? {} : { discounts: [...keepDiscounts(place), { promotion_code: code }] }
}

/** Removes a code from an object. Stripe removes all discounts for an empty string, and changes nothing for an empty list. */
export function removeCode(place: Discounted, code: string | undefined): { discounts?: DiscountParams | '' } {
  if (code === undefined || !hasCode(place, code)) return {}
  const kept = keepDiscounts(place, (own) => own !== code)
  return { discounts: kept.length === 0 ? '' : kept }
}

/** Whether a promotion code is a percentage. */
export function isPercentage(promotion: UsablePromotion | undefined): boolean {
  return promotion?.terms.kind === 'percentage'
}

/** Whether an unbilled add or swap of an object used a code, other than the change of the mark `except`. */
export function isUsed(
  code: string,
  holder: string,
  current: Stripe.Subscription,
  { marks }: LoadedCustomer,
  except?: FoundMark,
): boolean {
  return marks.some(
    (mark) =>
      mark.promotion === code && mark.holder === holder && mark.key !== except?.key && isUnbilled(mark, current),
  )
}

/** Whether Stripe has not billed the change of a mark: its period has not ended. The change of an invoice item has no period. */
export function isUnbilled({ due = Infinity }: FoundMark, { items }: Stripe.Subscription): boolean {
  return items.data.every(({ current_period_start }) => current_period_start < due)
}

/** Whether an object has a promotion code. */
export function hasCode({ discounts }: Discounted, code: string): boolean {
  return (discounts ?? []).some((discount) => codeOf(discount) === code)
}

function keepDiscounts(
  place: Discounted | undefined,
  isKept: (code: string | undefined) => boolean = () => true,
): DiscountParams {
  const kept = (place?.discounts ?? []).filter((discount) => isKept(codeOf(discount)))
  return kept.map((discount) => ({ discount: idOf(discount) }))
}

/** Returns the id of the promotion code that created a discount; `undefined` for a coupon. */
function codeOf(discount: string | Stripe.Discount): string | undefined {
  if (typeof discount === 'string' || discount.promotion_code === null) return undefined
  return idOf(discount.promotion_code)
}
