import { isStoreError, outcomeOf, StoreError } from '@storeport/core'
import { billDue, billOne } from './account/bill-due.ts'
import { commitCharge, holdOrder } from './account/charges.ts'
import type { CustomerAccount, Order, PendingCharge } from './account/customer-account.ts'
import type { Shop } from './shop/shop.ts'

/** A charge for one order of a subscription. */
export interface Charge {
  /** The customer. */
  readonly email: string
  /** The order. Charge its `total_minor`. */
  readonly order: Order
  /**
   * Id of the order. Every attempt to charge the order has the same key, including attempts by other requests and by
   * the billing job. Pass the key to the payment provider.
   */
  readonly idempotencyKey: string
}

/**
 * Charges a customer, with the idempotency key. Resolves after the charge has succeeded. Throws StoreError
 * `payment_failed` if the charge was declined, and `upstream_error` if the outcome is unknown. Runs outside of
 * transactions, and may run several times for the same order.
 */
export type ChargeOrder = (charge: Charge) => Promise<void>

/**
 * Runs one step in a transaction: locks and loads the account, and saves the account that `step` returns. `isLast` is
 * true for the step that completes the click.
 */
type Transact = (
  step: (account: CustomerAccount | undefined, shop: Shop) => CustomerAccount,
  isLast: boolean,
) => Promise<unknown>

/** A change to an account by the rule of an operation. */
interface Change {
  readonly isSendNow: boolean
  apply(account: CustomerAccount, shop: Shop): CustomerAccount
}

/** Maximum number of orders that are charged in one call. */
const maxCharges = 20

/**
 * Changes an account, and charges the due orders and the order that the change creates.
 *
 * Each order is first saved as a pending charge and loaded again, then charged, and then saved as an order. If the process ends before
 * the order is saved, the next call for the customer repeats the charge with the same key. A declined charge changes
 * nothing, and the next attempt creates another order.
 */
export async function chargeOrders(transact: Transact, charge: ChargeOrder, change: Change): Promise<void> {
  let settled: Settled | undefined
  let isMissing = false
  for (let count = 0; count <= maxCharges; count += 1) {
    // Before its order is charged, sendNow has nothing to complete.
    if ((count > 0 || !change.isSendNow) && (await finish(transact, change, settled))) return
    const pending = await prepare(transact, change, settled)
    if (pending === undefined) continue
    const state = await findState(transact, pending)
    // Another request may have removed the pending charge once. A store that loses it would be charged with other keys.
    if (isMissing && state === 'missing') throw new StoreError('store_unavailable', notSaved)
    isMissing = state === 'missing'
    if (!isMissing) settled = state === 'pending' ? await settle(charge, pending) : { pending }
  }
  throw new StoreError('store_unavailable')
}

/** A charge that succeeded or was declined. A declined charge has an error. */
interface Settled {
  readonly pending: PendingCharge & { readonly email: string }
  readonly error?: unknown
}

/** Applies the change in the last step. If an order must be charged first, saves nothing and returns false. */
async function finish(transact: Transact, change: Change, settled: Settled | undefined): Promise<boolean> {
  let mustCharge = false
  const stop = (): never => {
    mustCharge = true
    throw new StoreError('store_unavailable')
  }
  try {
    await transact((account, shop) => {
      mustCharge = false
      if (account === undefined) throw new StoreError('customer_not_found')
      const pending = account.pending_charge ?? undefined
      if (pending !== undefined) {
        const isOwn = change.isSendNow && pending.operation === 'sendNow'
        return isOwn && isCharged(pending, settled) ? commitCharge(account, pending) : stop()
      }
      const hasCharged = change.isSendNow && settled?.pending.operation === 'sendNow'
      if (hasCharged && isPlaced(settled.pending, account)) return account
      const billed = billDue(account, shop)
      if (change.isSendNow || billed.orders.length > account.orders.length) return stop()
      return change.apply(billed, shop)
    }, true)
    return true
  } catch (error) {
    if (mustCharge) return false
    throw error
  }
}

/**
 * Saves the outcome of the previous charge, and the next pending charge. Returns the pending charge, or `undefined` if
 * nothing must be charged. Throws the error of a declined charge.
 */
async function prepare(
  transact: Transact,
  change: Change,
  settled: Settled | undefined,
): Promise<Settled['pending'] | undefined> {
  let next: Settled['pending'] | undefined
  let rejection: { readonly error: unknown } | undefined
  await transact((account, shop) => {
    next = undefined
    rejection = undefined
    if (account === undefined) throw new StoreError('customer_not_found')
    const { email } = account
    const pending = account.pending_charge ?? undefined
    if (pending !== undefined && pending.order.id !== settled?.pending.order.id) {
      next = { ...pending, email }
      return account
    }
    if (pending !== undefined && settled?.error !== undefined) {
      rejection = { error: settled.error }
      return { ...account, pending_charge: null }
    }
    if (pending?.operation === 'sendNow' && change.isSendNow) return account
    let current = pending === undefined ? account : commitCharge(account, pending)
    for (let billed = billOne(current, shop); billed !== undefined; billed = billOne(current, shop)) {
      const held = holdOrder(current, billed, 'billing')
      if (held !== undefined) {
        next = withEmail(held)
        return held
      }
      current = billed
    }
    // Saves a paid order in a separate step, because `change.apply` may reject the click.
    if (!change.isSendNow || pending !== undefined) return current
    const held = holdOrder(current, change.apply(current, shop), 'sendNow')
    if (held === undefined) return current
    next = withEmail(held)
    return held
  }, false)
  if (rejection !== undefined) throw rejection.error
  return next
}

const notSaved = 'The pending charge was not saved or loaded, so the order was not charged.'

/** Loads the account again before a charge. Returns `placed` if another request has already saved the order. */
async function findState(transact: Transact, pending: Settled['pending']): Promise<'pending' | 'placed' | 'missing'> {
  let state: 'pending' | 'placed' | 'missing' = 'missing'
  await transact((account) => {
    if (account === undefined) throw new StoreError('customer_not_found')
    const isPending = account.pending_charge?.order.id === pending.order.id
    state = isPending ? 'pending' : isPlaced(pending, account) ? 'placed' : 'missing'
    return account
  }, false)
  return state
}

/**
 * Charges an order. Returns the error of a declined charge. Throws all other errors, and the charge remains pending.
 */
async function settle(charge: ChargeOrder, pending: Settled['pending']): Promise<Settled> {
  try {
    await charge({ email: pending.email, order: pending.order, idempotencyKey: pending.order.id })
    return { pending }
  } catch (error) {
    const isDeclined = isStoreError(error) && error.code === 'payment_failed' && outcomeOf(error) === 'refused'
    if (isDeclined) return { pending, error }
    throw error
  }
}

function withEmail({ email, pending_charge }: CustomerAccount): Settled['pending'] | undefined {
  return pending_charge ? { ...pending_charge, email } : undefined
}

function isCharged({ order }: PendingCharge, settled: Settled | undefined): boolean {
  return settled?.error === undefined && settled?.pending.order.id === order.id
}

/** Returns whether another request has already saved the order of a charge. */
function isPlaced({ order, next }: PendingCharge, { subscriptions, last_sent_on }: CustomerAccount): boolean {
  const subscription = subscriptions.find(({ id }) => id === order.subscription_id)
  return last_sent_on === order.placed_on && subscription?.next_billing_date === next.next_billing_date
}

/** Charges the due orders of a customer, for a billing job. Throws the same errors as `charge`. */
export async function chargeDue(transact: Transact, charge: ChargeOrder): Promise<void> {
  await chargeOrders(transact, charge, { isSendNow: false, apply: (account) => account })
}
