import type { Shop } from '../shop/shop.ts'
import type { ActiveSubscription, CustomerAccount } from './customer-account.ts'
import { withElement } from './lists.ts'
import { nextBillingDate } from './next-billing-date.ts'
import { placeNextOrder } from './place-next-order.ts'
import { soonest } from './soonest.ts'

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
