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
  const { next_billing_date, anchor_day } = requireActive(after, order.subscription_id)
  const next = { next_billing_date, anchor_day }
  return { ...before, pending_charge: { operation, order, next, sent_at: after.last_sent_at } }
}

/** Adds the order of a pending charge after the charge has succeeded. */
export function commitCharge(account: CustomerAccount, pending: PendingCharge): CustomerAccount {
  const subscription = requireActive(account, pending.order.subscription_id)
  return { ...addOrder(account, subscription, pending), pending_charge: null }
}

function requireActive({ subscriptions }: CustomerAccount, subscriptionId: string | null) {
  const subscription = subscriptions.find(({ id }) => id === subscriptionId)
  if (subscription?.status === 'active') return subscription
  throw new Error('The subscription for a pending charge is missing or not active.')
}
