import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount } from './customer-account.ts'
import { nextBillingAfter, soonest, withElement, without } from './subscriptions.ts'
import { chargePending, placeNextOrder } from './orders.ts'
import { checkSubscription } from './check-account.ts'

/** Options of one call of a store's `billDue`. */
export interface BillDueOptions {
  /**
   * Maximum number of customers to bill in this call; default 100. A customer who cannot be billed does not count, but the
   * call tries at most ten times this number of customers.
   */
  readonly limit?: number | undefined
  /** The `after` of the previous call, to continue its run; default: a new run, which tries all customers. */
  readonly after?: BillPosition | undefined
}

/** Position of a billing run between two calls. Pass it unchanged. */
export interface BillPosition {
  /** Billing date of the last customer. Empty if the customer had a pending charge. */
  readonly date: string
  /** Id of the last customer. */
  readonly id: string
  /** Ids of the customers who could not be billed. The run does not try them again. */
  readonly failed: readonly string[]
}

/** Result of one call of a store's `billDue`. */
export interface BillDueResult {
  /** Number of orders that the call created. */
  readonly billed: number
  /** True if the call reached its limit, so that more customers may be due. */
  readonly more: boolean
  /** If `more` is true, the position for the next call. */
  readonly after?: BillPosition | undefined
  /**
   * One error for each customer who could not be billed. These customers remain due. Omitted if there are no errors.
   */
  readonly failures?: readonly unknown[] | undefined
}

/**
 * Returns the maximum number of customers for a `billDue` run. Throws RangeError unless the limit is a whole number of
 * at least 1.
 */
export function readBillLimit({ limit = 100 }: BillDueOptions = {}): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new RangeError('limit: must be a whole number, 1 or more')
}

/**
 * Bills every active subscription whose billing date is today or earlier. Creates one order for each subscription, even
 * if several billing dates were missed. Advances the billing date by whole intervals to a date in the future. Creates
 * no order if the subscription has no items, or if all missed dates are skipped. Returns the same object if nothing is
 * due.
 *
 * Sets the date of the last order to today, so that sendNow rejects a second order on the same day. Throws TypeError for
 * an invalid subscription if nothing else was billed.
 */
export function billDue(account: CustomerAccount, shop: Shop): CustomerAccount {
  let billed = account
  for (let next = billOne(billed, shop, account); next !== undefined; next = billOne(billed, shop, account))
    billed = next
  return billed
}

/** Bills an account like `billDue`, without a charge. Throws StoreError `store_unavailable` while a charge is pending. */
export function billUncharged(account: CustomerAccount, shop: Shop): CustomerAccount {
  if (account.pending_charge) throw chargePending()
  return billDue(account, shop)
}

/**
 * Bills the due subscription with the earliest billing date. Returns `undefined` if no subscription is due. An invalid
 * subscription remains due. Throws its error if no other subscription is due and the account is still `loaded`, so that the
 * error does not undo other changes.
 */
export function billOne(
  account: CustomerAccount,
  shop: Shop,
  loaded: CustomerAccount = account,
): CustomerAccount | undefined {
  const failures: unknown[] = []
  let { subscriptions } = account
  for (let due = findDue({ subscriptions }, shop); due !== undefined; due = findDue({ subscriptions }, shop)) {
    const { id } = due
    try {
      return billSubscription(account, due, shop)
    } catch (error) {
      failures.push(error)
      subscriptions = without(subscriptions, (one) => one.id === id)
    }
  }
  if (failures.length > 0 && account === loaded) throw failures[0]
  return undefined
}

/** Bills a due subscription. Throws TypeError if the subscription is invalid. */
function billSubscription(account: CustomerAccount, due: ActiveSubscription, shop: Shop): CustomerAccount {
  checkSubscription(due)
  const { next_billing_date: first } = nextBillingAfter('', due)
  const next = nextBillingAfter(shop.today, due)
  const hasUnits = due.items.some(({ quantity }) => quantity > 0)
  if (hasUnits && first <= shop.today) return placeNextOrder(account, due, next, shop)
  return { ...account, subscriptions: withElement(account.subscriptions, { ...due, ...next }) }
}

/** Returns the subscription that the billing job bills first; `undefined` if no subscription is due. */
export function findDue(
  { subscriptions }: Pick<CustomerAccount, 'subscriptions'>,
  { today }: Pick<Shop, 'today'>,
): ActiveSubscription | undefined {
  const due = subscriptions.filter(
    ({ status, next_billing_date: date, declined }) =>
      // After a decline, the next attempt is on another day.
      status === 'active' && date !== null && date <= today && declined?.on !== today,
  )
  return soonest(due, today)
}
