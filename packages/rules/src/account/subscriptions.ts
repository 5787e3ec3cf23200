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

/** A list with an element put in the place of the one with its id, or at the end when there is none. */
export function withElement<Element extends Identified>(
  list: readonly Element[],
  element: Element,
): readonly Element[] {
  if (!list.some(({ id }) => id === element.id)) return [...list, element]
  return list.map((present) => (present.id === element.id ? element : present))
}

/** A list with the element of an id changed; the same list when there is none. */
export function withChanged<Element extends Identified>(
  list: readonly Element[],
  changedId: string | null,
  change: (element: Element) => Element,
): readonly Element[] {
  const present = list.find(({ id }) => id === changedId)
  return present === undefined ? list : withElement(list, change(present))
}

/** A list without the elements that a test picks out; the same list when it picks none. */
export function without<Element>(list: readonly Element[], picked: (element: Element) => boolean): readonly Element[] {
  return list.some(picked) ? list.filter((element) => !picked(element)) : list
}

/** The active subscription that is billed next; of several on one day the one with the lowest id (SUBSCRIPTION-5). */
export function soonest(subscriptions: readonly Subscription[]): ActiveSubscription | undefined {
  return subscriptions
    .filter((subscription) => subscription.status === 'active')
    .reduce<ActiveSubscription | undefined>(
      (first, next) => (first && !isBefore(next, first) ? first : next),
      undefined,
    )
}

/** The customer's current subscription; throws `subscription_not_found` when none is active. */
export function currentSubscription(account: Pick<CustomerAccount, 'subscriptions'>): ActiveSubscription {
  const subscription = soonest(account.subscriptions)
  if (subscription === undefined) throw new StoreError('subscription_not_found')
  return subscription
}

function isBefore(one: ActiveSubscription, other: ActiveSubscription): boolean {
  if (one.next_billing_date !== other.next_billing_date) return one.next_billing_date < other.next_billing_date
  return one.id < other.id
}

/** Returns whether a cancelled subscription can be reactivated: it was not cancelled too long ago (REACTIVATE-5). */
export function isEligible(subscription: EndedSubscription, shop: Shop): boolean {
  return subscription.cancelled_on >= addDays(shop.today, -shop.reactivation_days)
}

/**
 * The date one interval after a date; a calendar month ends on the last day of a shorter month.
 *
 * Throws a RangeError where there is no later date: an interval of nothing, or the end of the year 9999.
 */
export function nextBillingDate(date: string, { unit, count }: Interval): string {
  const next = unit === 'month' ? addMonths(date, count) : addDays(date, unit === 'week' ? count * 7 : count)
  // As texts the year 10000 comes before 9999: a loop that moves a date into the future would never end.
  if (next <= date) throw new RangeError('The next billing date must be later, and before the year 10000.')
  return next
}
