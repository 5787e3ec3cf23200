import { addDays, addMonths, StoreError } from '@storeport/core'
import type {
  ActiveSubscription,
  CustomerAccount,
  EndedSubscription,
  Interval,
  Subscription,
} from './customer-account.ts'
import type { Shop } from '../shop/shop.ts'

interface Identified {
  readonly id: string
}

/** Returns a list in which `element` replaces the element with the same id, or is appended. */
export function withElement<Element extends Identified>(
  list: readonly Element[],
  element: Element,
): readonly Element[] {
  if (!list.some(({ id }) => id === element.id)) return [...list, element]
  return list.map((present) => (present.id === element.id ? element : present))
}

/** Returns a list with one changed element; the same list if no element has the id. */
export function withChanged<Element extends Identified>(
  list: readonly Element[],
  changedId: string | null,
  change: (element: Element) => Element,
): readonly Element[] {
  const present = list.find(({ id }) => id === changedId)
  return present === undefined ? list : withElement(list, change(present))
}

/** Returns a list without the elements that match; the same list if no element matches. */
export function without<Element>(list: readonly Element[], picked: (element: Element) => boolean): readonly Element[] {
  return list.some(picked) ? list.filter((element) => !picked(element)) : list
}

/** Returns the active subscription with the earliest billing date; for equal dates, the lowest id (SUBSCRIPTION-5). */
export function soonest(subscriptions: readonly Subscription[]): ActiveSubscription | undefined {
  return subscriptions
    .filter((subscription) => subscription.status === 'active')
    .reduce<ActiveSubscription | undefined>(
      (first, next) => (first && !isBefore(next, first) ? first : next),
      undefined,
    )
}

/** Returns the customer's current subscription. Throws `subscription_not_found` if no subscription is active. */
export function currentSubscription(account: Pick<CustomerAccount, 'subscriptions'>): ActiveSubscription {
  const subscription = soonest(account.subscriptions)
  if (subscription === undefined) throw new StoreError('subscription_not_found')
  return subscription
}

function isBefore(one: ActiveSubscription, other: ActiveSubscription): boolean {
  if (one.next_billing_date !== other.next_billing_date) return one.next_billing_date < other.next_billing_date
  return one.id < other.id
}

/** Whether a subscription can be reactivated: at most `reactivation_days` after its cancellation (REACTIVATE-5). */
export function isEligible(subscription: EndedSubscription, shop: Shop): boolean {
  return subscription.cancelled_on >= addDays(shop.today, -shop.reactivation_days)
}

/**
 * Adds an interval to a date. If the day does not exist in the resulting month, returns the last day of that month.
 *
 * Throws RangeError if the result is not later: for an interval of 0, or after the year 9999.
 */
export function nextBillingDate(date: string, { unit, count }: Interval): string {
  const next = unit === 'month' ? addMonths(date, count) : addDays(date, unit === 'week' ? count * 7 : count)
  // As a string, the year 10000 sorts before 9999. Without this error, a loop that moves a date ahead would never end.
  if (next <= date) throw new RangeError('The next billing date must be later, and before the year 10000.')
  return next
}
