import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount } from './customer-account.ts'
import { nextBillingDate, soonest, withElement } from './subscriptions.ts'
import { placeNextOrder } from './orders.ts'

/** How much one run of a store's `billDue` does. */
export interface BillDueOptions {
  /** Most customers to bill in this run, each in a transaction of their own; default 100. */
  readonly limit?: number | undefined
}

/** What one run of a store's `billDue` did. */
export interface BillDueResult {
  /** Orders that were made. */
  readonly billed: number
  /** Whether the run ended at its limit: then more customers may be due. */
  readonly more: boolean
  /** Why customers could not be billed, one error each: they stay due and keep nobody else waiting. None without failures. */
  readonly failures?: readonly unknown[] | undefined
}

/** Returns the limit of a run of `billDue`; throws a RangeError for one that is not a whole number, 1 or more. */
export function readBillLimit({ limit = 100 }: BillDueOptions = {}): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new RangeError('limit: must be a whole number, 1 or more')
}

/**
 * Bills every active subscription whose date has come: one order each, however many dates were missed, and the date
 * moves on by whole intervals until it is in the future. Without items only the date moves. The same account when nothing is due.
 *
 * A subscription that is billed counts as sent today, so that sendNow refuses a second box on the same day.
 */
export function billDue(account: CustomerAccount, shop: Shop): CustomerAccount {
  let billed = account
  for (let due = findDue(billed, shop); due !== undefined; due = findDue(billed, shop)) {
    billed = billSubscription(billed, due, shop)
  }
  return billed
}

/** Whether a subscription of an account has to be billed before anything else. */
export function isDue(account: CustomerAccount, shop: Pick<Shop, 'today'>): boolean {
  return findDue(account, shop) !== undefined
}

function findDue({ subscriptions }: CustomerAccount, { today }: Pick<Shop, 'today'>): ActiveSubscription | undefined {
  const next = soonest(subscriptions)
  return next !== undefined && next.next_billing_date <= today ? next : undefined
}

function billSubscription(account: CustomerAccount, due: ActiveSubscription, shop: Shop): CustomerAccount {
  let next_billing_date = due.next_billing_date
  while (next_billing_date <= shop.today) next_billing_date = nextBillingDate(next_billing_date, due.interval)
  if (due.items.length > 0) return placeNextOrder(account, due, next_billing_date, shop)
  return { ...account, subscriptions: withElement(account.subscriptions, { ...due, next_billing_date }) }
}
