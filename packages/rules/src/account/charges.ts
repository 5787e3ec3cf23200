import type { CustomerAccount, PendingCharge } from './customer-account.ts'
import { addOrder } from './orders.ts'

/**
 * Returns the account before a change, with the new order of the change as its pending charge. Returns `undefined` if
 * the change created no subscription order.
 */
export function holdOrder(
  before: CustomerAccount,
  after: CustomerAccount,
  operation: PendingCharge['operation'],
): CustomerAccount | undefined {
  const known = new Set(before.orders.map(({ id }) => id))
  const order = after.orders.find(({ id, kind }) => kind === 'subscription' && !known.has(id))
  if (order === undefined) return undefined
  const subscription = after.subscriptions.find(({ id }) => id === order.subscription_id)
  if (subscription?.status !== 'active') throw new Error('The subscription of a new order is missing or not active.')
  const { next_billing_date, anchor_day } = subscription
  const next = { next_billing_date, anchor_day }
  return { ...before, pending_charge: { operation, order, next, sent_at: after.last_sent_at } }
}

/**
 * Adds the order of a pending charge after the charge has succeeded, even if the subscription is no longer active.
 */
export function commitCharge(account: CustomerAccount, pending: PendingCharge): CustomerAccount {
  return { ...addOrder(account, pending), pending_charge: null }
}
