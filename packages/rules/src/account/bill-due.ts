import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount } from './customer-account.ts'
import { nextBillingAfter, soonest, withElement } from './subscriptions.ts'
import { placeNextOrder } from './orders.ts'

/** Options of one run of a store's `billDue`. */
export interface BillDueOptions {
  /** Maximum number of customers to bill in this run, each in a separate transaction; default 100. */
  readonly limit?: number | undefined
}

/** Result of one run of a store's `billDue`. */
export interface BillDueResult {
  /** Number of orders that were created. */
  readonly billed: number
  /** Whether the run ended at its limit, so that more customers may be due. */
  readonly more: boolean
  /** One error for each customer who could not be billed, stays due and blocks no others. Absent without errors. */
  readonly failures?: readonly unknown[] | undefined
}

/** Returns the limit of a run of `billDue`. Throws RangeError unless it is a whole number, 1 or more. */
export function readBillLimit({ limit = 100 }: BillDueOptions = {}): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new RangeError('limit: must be a whole number, 1 or more')
}

/**
 * Bills every active subscription whose billing date is today or earlier. Creates one order for each subscription, even if several
 * dates were missed, and moves the billing date by whole intervals into the future. Only moves the date if the subscription has no
 * items, or if all missed dates are skipped. Returns the same object if nothing is due.
 *
 * An order by billing counts as sent today, so that sendNow rejects a second order on the same day.
 */
export function billDue(account: CustomerAccount, shop: Shop): CustomerAccount {
  let billed = account
  for (let next = billOne(billed, shop); next !== undefined; next = billOne(billed, shop)) billed = next
  return billed
}

/** Bills the subscription that has been due longest; returns `undefined` if no subscription is due. */
export function billOne(account: CustomerAccount, shop: Shop): CustomerAccount | undefined {
  const due = findDue(account, shop)
  return due && billSubscription(account, due, shop)
}

/** Whether an active subscription of the account is due for billing. */
export function isDue(account: CustomerAccount, shop: Pick<Shop, 'today'>): boolean {
  return findDue(account, shop) !== undefined
}

function findDue({ subscriptions }: CustomerAccount, { today }: Pick<Shop, 'today'>): ActiveSubscription | undefined {
  return soonest(
    subscriptions.filter(
      ({ status, next_billing_date, skipped }) =>
        status === 'active' && (next_billing_date <= today || skipped.includes(next_billing_date)),
    ),
  )
}

function billSubscription(account: CustomerAccount, due: ActiveSubscription, shop: Shop): CustomerAccount {
  const { next_billing_date: first } = nextBillingAfter('', due)
  const next = nextBillingAfter(shop.today, due)
  if (due.items.length > 0 && first <= shop.today) return placeNextOrder(account, due, next, shop)
  return { ...account, subscriptions: withElement(account.subscriptions, { ...due, ...next }) }
}
