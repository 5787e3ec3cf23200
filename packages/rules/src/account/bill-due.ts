import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount } from './customer-account.ts'
import { nextBillingDate, soonest, withElement } from './subscriptions.ts'
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
 * Bills every active subscription that is due. Creates one order for each subscription, even if several dates were
 * missed, and moves the billing date by whole intervals into the future. For a subscription without items, only moves
 * the date. Returns the same object if nothing is due.
 *
 * An order by billing counts as sent today, so that sendNow rejects a second order on the same day.
 */
export function billDue(account: CustomerAccount, shop: Shop): CustomerAccount {
  let billed = account
  for (let due = findDue(billed, shop); due !== undefined; due = findDue(billed, shop)) {
    billed = billSubscription(billed, due, shop)
  }
  return billed
}

/** Whether an active subscription of the account is due for billing. */
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
