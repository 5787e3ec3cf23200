import type { Shop } from '../shop/shop.ts'
import type { CustomerAccount, PendingCharge, Subscription } from './customer-account.ts'
import { addOrder } from './orders.ts'
import { withChanged } from './subscriptions.ts'

/** The click of a pending charge: the key of the customer's document in the ledger, and `context.idempotencyKey`. */
export type PendingClick = NonNullable<PendingCharge['click']>

/**
 * Returns the account before a change, with the new order of the change as its pending charge. Returns `undefined` if
 * the change created no subscription order.
 */
export function holdOrder(
  before: CustomerAccount,
  after: CustomerAccount,
  operation: PendingCharge['operation'],
  { now }: Shop,
  click: PendingClick | null = null,
): CustomerAccount | undefined {
  const known = new Set(before.orders.map(({ id }) => id))
  const order = after.orders.find(({ id, kind }) => kind === 'subscription' && !known.has(id))
  if (order === undefined) return undefined
  const subscription = after.subscriptions.find(({ id }) => id === order.subscription_id)
  if (subscription?.status !== 'active') throw new Error('The subscription of a new order is missing or not active.')
  const { next_billing_date, anchor_day } = subscription
  const next = { next_billing_date, anchor_day }
  const pending = { operation, order, next, sent_at: after.last_sent_at, held_at: now ?? null, click }
  return { ...before, pending_charge: pending }
}

/**
 * Adds the order of a pending charge with its payment reference, even if the subscription is no longer active.
 */
export function commitCharge(account: CustomerAccount, pending: PendingCharge, payment: unknown): CustomerAccount {
  return { ...addOrder(account, { ...pending, order: { ...pending.order, payment } }), pending_charge: null }
}

/** Removes a pending charge that was declined, and counts the decline on its subscription. */
export function declineCharge(account: CustomerAccount, { order }: PendingCharge, on: string): CustomerAccount {
  const subscriptions = withChanged(account.subscriptions, order.subscription_id, (subscription): Subscription => {
    const tries = subscription.declined?.on === on ? subscription.declined.tries + 1 : 1
    return { ...subscription, declined: { on, tries } }
  })
  return { ...account, subscriptions, pending_charge: null }
}

/** Whether a change touches the subscription of a pending charge, whose order must not change until it is charged. */
export function touchesPending(before: CustomerAccount, after: CustomerAccount): boolean {
  const id = before.pending_charge?.order.subscription_id
  const find = ({ subscriptions }: CustomerAccount) => subscriptions.find((each) => each.id === id)
  return id !== undefined && find(before) !== find(after)
}

/** Returns the click whose order a billing job has saved. Record it with `completeClick`, so that a repeat is a replay. */
export function completedClick(before: CustomerAccount, after: CustomerAccount): PendingClick | undefined {
  if (!before.pending_charge || after.pending_charge || after.orders.length === before.orders.length) return undefined
  return before.pending_charge.click ?? undefined
}
