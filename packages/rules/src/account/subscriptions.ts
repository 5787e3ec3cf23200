import { addDays, addMonths, StoreError } from '@storeport/core'
import type {
  ActiveSubscription,
  CustomerAccount,
  EndedSubscription,
  Interval,
  Item,
  Subscription,
} from './customer-account.ts'
import { type CatalogueProduct, requireAvailable, type Shop } from '../shop/shop.ts'

interface Identified {
  readonly id: string
}

/** Returns a list in which `element` replaces the element with the same id. Appends `element` if the id is new. */
export function withElement<Element extends Identified>(
  list: readonly Element[],
  element: Element,
): readonly Element[] {
  if (!list.some(({ id }) => id === element.id)) return [...list, element]
  return list.map((present) => (present.id === element.id ? element : present))
}

/** Returns a list in which the element with the given id is changed. Returns the same list if no element has the id. */
export function withChanged<Element extends Identified>(
  list: readonly Element[],
  changedId: string | null,
  change: (element: Element) => Element,
): readonly Element[] {
  const present = list.find(({ id }) => id === changedId)
  return present === undefined ? list : withElement(list, change(present))
}

/** Returns a list without the matching elements. Returns the same list if no element matches. */
export function without<Element>(list: readonly Element[], picked: (element: Element) => boolean): readonly Element[] {
  return list.some(picked) ? list.filter((element) => !picked(element)) : list
}

/**
 * Returns the next billing date that a customer sees: the first date that is not skipped, or today if that date
 * is past.
 */
export function shownDate(subscription: ActiveSubscription, today: string): string {
  const { next_billing_date } = subscription.skipped.length === 0 ? subscription : nextBillingAfter('', subscription)
  return next_billing_date < today ? today : next_billing_date
}

/**
 * Returns the active subscription with the earliest shown date (SUBSCRIPTION-5). Of the subscriptions that are due, returns
 * the one with the earliest stored date; for equal dates, the lowest id.
 */
export function soonest(subscriptions: readonly Subscription[], today = ''): ActiveSubscription | undefined {
  let first: ActiveSubscription | undefined
  for (const each of subscriptions)
    if (each.status === 'active' && (first === undefined || isBefore(each, first, today))) first = each
  return first
}

/** Returns a subscription without its declined charges. Returns the same object if no charge was declined. */
export function withoutDeclined<Any extends Subscription>(subscription: Any): Any {
  return subscription.declined ? { ...subscription, declined: null } : subscription
}

/** Returns the customer's current subscription. Throws `subscription_not_found` if no subscription is active. */
export function currentSubscription(
  account: Pick<CustomerAccount, 'subscriptions'>,
  { today }: Pick<Shop, 'today'>,
): ActiveSubscription {
  const subscription = soonest(account.subscriptions, today)
  if (subscription === undefined) throw new StoreError('subscription_not_found')
  return subscription
}

function isBefore(one: ActiveSubscription, other: ActiveSubscription, today: string): boolean {
  const [shown, date] = [shownDate(one, today), shownDate(other, today)]
  if (shown !== date) return shown < date
  if (shown === today && one.next_billing_date !== other.next_billing_date)
    return one.next_billing_date < other.next_billing_date
  return one.id < other.id
}

/**
 * Returns whether a subscription can be reactivated: at most `reactivation_days` after its cancellation (REACTIVATE-5),
 * and only if all its products exist.
 */
export function isEligible(subscription: EndedSubscription, shop: Shop): boolean {
  return subscription.cancelled_on >= addDays(shop.today, -shop.reactivation_days) && hasProducts(subscription, shop)
}

/**
 * Returns whether all products of a subscription exist. An item of quantity 0 needs no product, nor does a value that is
 * not a list.
 */
export function hasProducts({ items }: Subscription, shop: Shop): boolean {
  if (!Array.isArray(items)) return true
  return items.every(({ product_id, quantity }) => quantity === 0 || shop.product(product_id) !== undefined)
}

/**
 * Adds an interval to a date. For an interval of months, returns the anchor day of the resulting month, or its last day
 * if the month is too short. The anchor day defaults to the day of the given date.
 *
 * Throws RangeError if the result is not later than the given date, or is after the year 9999.
 */
export function nextBillingDate(date: string, { unit, count }: Interval, anchorDay: number | null = null): string {
  const next =
    unit === 'month'
      ? inMonths(date, count, anchorDay ?? dayOf(date))
      : addDays(date, unit === 'week' ? count * 7 : count)
  // As a string, the year 10000 sorts before 9999. Without this error, a loop that advances a date would never end.
  if (next <= date) throw new RangeError('The next billing date must be before the year 10000.')
  return next
}

function inMonths(date: string, count: number, anchorDay: number): string {
  const firstOfMonth = `${date.slice(0, -2)}01`
  const lastOfNext = addDays(addMonths(firstOfMonth, count + 1), -1)
  const anchored = addDays(addMonths(firstOfMonth, count), anchorDay - 1)
  return anchored < lastOfNext ? anchored : lastOfNext
}

function dayOf(date: string): number {
  return Number(date.slice(-2))
}

/** Next billing date of a subscription, with its anchor day. */
export type NextBilling = Pick<ActiveSubscription, 'next_billing_date' | 'anchor_day'>

/**
 * Returns the first billing date that is later than `date` and not skipped. The anchor day does not change: after 31
 * January, a monthly subscription is billed on 28 February and 31 March.
 */
export function nextBillingAfter(date: string, subscription: ActiveSubscription): NextBilling {
  const { interval, skipped } = subscription
  let { next_billing_date, anchor_day } = subscription
  const anchorDay = anchor_day ?? dayOf(next_billing_date)
  while (next_billing_date <= date || skipped.includes(next_billing_date))
    next_billing_date = nextBillingDate(next_billing_date, interval, anchorDay)
  if (interval.unit === 'month' && dayOf(next_billing_date) !== anchorDay) anchor_day = anchorDay
  return { next_billing_date, anchor_day }
}

const oneTimeSuffix = '~once'
const maxProductIdLength = 255 - oneTimeSuffix.length

/**
 * Returns the id of an item in requests and responses: the product id, or `<product id>~once` for a one-time item. The
 * id is unique in a subscription, which has at most one recurring item and one one-time item for each product.
 */
export function wireItemId({ product_id, one_time }: Pick<Item, 'product_id' | 'one_time'>): string {
  return one_time ? product_id + oneTimeSuffix : product_id
}

/** Returns the reason why a product id is invalid, or `undefined` if the product id is valid. */
export function productIdProblem(id: string): string | undefined {
  if (id.endsWith(oneTimeSuffix)) return `must not end in ${oneTimeSuffix}, which marks one-time items`
  if (id.length > maxProductIdLength) return `must be at most ${maxProductIdLength} characters`
  return undefined
}

/** Returns whether a product id is valid: 1–250 characters, without the suffix `~once`. */
export function isUsableProductId(id: string): boolean {
  return id !== '' && productIdProblem(id) === undefined
}

/** Returns the recurring item or the one-time item of a product. */
export function findItem(items: readonly Item[], productId: string, oneTime: boolean): Item | undefined {
  return items.find((item) => item.product_id === productId && item.one_time === oneTime)
}

/**
 * Returns a valid quantity unchanged. Throws `invalid_request` above the shop's maximum, and `product_unavailable`
 * above the product's availability.
 */
export function limitQuantity(quantity: number, product: CatalogueProduct, shop: Shop): number {
  if (quantity > shop.max_quantity) {
    throw new StoreError('invalid_request', `quantity: the total for this product must be at most ${shop.max_quantity}`)
  }
  requireAvailable(product, quantity)
  return quantity
}

/**
 * Throws `product_unavailable` for an item without a valid `wireItemId`: a one-time item of a product with an invalid
 * id, or an item whose `wireItemId` is already in use. Older shops may contain such products.
 */
export function requireWireId(item: Item, items: readonly Item[]): void {
  const wireId = wireItemId(item)
  const isTaken = items.some((other) => other.id !== item.id && wireItemId(other) === wireId)
  if (isTaken || (item.one_time && !isUsableProductId(item.product_id))) throw new StoreError('product_unavailable')
}
