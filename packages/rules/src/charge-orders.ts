import { type Context, isStoreError, outcomeOf, StoreError } from '@storeport/core'
import { billOne } from './account/bill-due.ts'
import { chargePending, commitCharge, declineCharge, holdOrder, type PendingClick } from './account/orders.ts'
import type { CustomerAccount, Order, PendingCharge } from './account/customer-account.ts'
import { soonest } from './account/subscriptions.ts'
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
 * Charges a customer, with the idempotency key. Resolves after the charge has succeeded, with the payment reference for
 * `order.payment`: JSON of at most 4 KiB. Throws StoreError `payment_failed` if the charge was declined, and
 * `upstream_error` if the outcome is unknown. Runs outside of transactions, and may run several times for the same order.
 */
export type ChargeOrder = (charge: Charge) => Promise<unknown>

/** A change of an account. The account is `undefined` for an unknown customer. */
export type AccountChange = (account: CustomerAccount | undefined, shop: Shop) => CustomerAccount

/** Locks and loads the account in a transaction, and saves the account that `change` returns. */
type Transact = (change: AccountChange) => Promise<unknown>

/**
 * The transactions of a click whose order is charged: `hold` saves the order as the pending charge, `load` checks that it
 * was saved, and after the charge `complete` saves the order, or `decline` counts a declined charge. Only `complete` stores
 * the click.
 */
export type ChargeStep = 'hold' | 'load' | 'complete' | 'decline'

/** Maximum number of orders that one call of `chargeDue` charges. */
const maxCharges = 20
/** Maximum number of declined charges of a subscription in a day. */
const maxDeclined = 3
/** Maximum size of a payment reference, in bytes. */
const maxPaymentBytes = 4096
/**
 * Time in which the billing job does not settle the charge of a click, in milliseconds: the longest time of a click, and
 * 15 minutes in which the customer can repeat it.
 */
const ownMs = 17 * 60_000

/**
 * Charges and saves the order of a click. The order is first saved as a pending charge and loaded again, then charged, and
 * then saved as an order. A repeat of the click continues its pending charge with the same key. A declined charge is only
 * counted, and the next attempt creates another order.
 */
export async function chargeClick(
  charge: ChargeOrder,
  { click, idempotencyKey: key }: Pick<Context, 'click' | 'idempotencyKey'>,
  sendNow: AccountChange,
  transact: (change: AccountChange, step: ChargeStep) => Promise<unknown>,
): Promise<void> {
  const own: PendingClick = { customer: click?.customer ?? '', key }
  let found: Pending | undefined
  await transact((given, shop) => {
    const account = required(given)
    const pending = account.pending_charge ?? undefined
    const isOwn = pending?.operation === 'sendNow' && pending.click?.key === key
    if (pending === undefined && isExhausted(account, shop))
      throw new StoreError('payment_failed', 'Three charges were declined today. Try again tomorrow.')
    if (pending !== undefined && !isOwn) throw chargePending()
    const held = isOwn
      ? { ...account, pending_charge: { ...pending, held_at: shop.now ?? null } }
      : holdOrder(account, sendNow(account, shop), 'sendNow', shop, own)
    found = pendingOf(held)
    return held ?? account
  }, 'hold')
  if (found === undefined) throw new Error('The rule of sendNow created no order.')
  const pending = found
  const settled =
    (await findState((change) => transact(change, 'load'), pending)) === 'pending'
      ? await settle(charge, pending)
      : { pending }
  const isDeclined = settled.error !== undefined
  // The billing job may have saved the order meanwhile.
  await transact((account, shop) => applySettled(required(account), settled, shop), isDeclined ? 'decline' : 'complete')
  if (isDeclined) throw settled.error
}

/** Returns whether too many charges of the current subscription were declined today. */
function isExhausted({ subscriptions }: CustomerAccount, { today }: Shop): boolean {
  const declined = soonest(subscriptions, today)?.declined
  return declined?.on === today && declined.tries >= maxDeclined
}

/**
 * Charges and saves the due orders of a customer, for a billing job. First settles a pending charge of an earlier run, or of
 * a click that the customer no longer repeats. Throws the same errors as `charge`; after a declined charge, its message
 * contains the number of tries on this day.
 */
export async function chargeDue(transact: Transact, charge: ChargeOrder): Promise<void> {
  let settled: Settled | undefined
  for (let count = 0; count <= maxCharges; count += 1) {
    const { pending, tries } = await prepareDue(transact, settled)
    if (tries !== undefined)
      throw new StoreError('payment_failed', `A charge was declined (try ${tries} today).`, { cause: settled?.error })
    if (pending === undefined) return
    const state = await findState(transact, pending)
    settled = state === 'pending' ? await settle(charge, pending) : { pending }
  }
  throw new StoreError('store_unavailable')
}

/**
 * Saves the outcome of the previous charge, and the next pending charge. Returns the charge that must run, if any, or the
 * number of tries today if the charge was declined.
 */
async function prepareDue(
  transact: Transact,
  settled: Settled | undefined,
): Promise<{ readonly pending?: Pending | undefined; readonly tries?: number | undefined }> {
  let next: Pending | undefined
  let tries: number | undefined
  await transact((given, shop) => {
    next = tries = undefined
    const loaded = required(given)
    let current = settled === undefined ? loaded : applySettled(loaded, settled, shop)
    if (settled?.error !== undefined) {
      const { subscription_id } = settled.pending.order
      tries = current.subscriptions.find(({ id }) => id === subscription_id)?.declined?.tries ?? 1
      return current
    }
    if (current.pending_charge) {
      if (!belongsToClick(current.pending_charge, shop)) next = pendingOf(current)
      return current
    }
    const bill = () => billOne(current, shop, loaded)
    for (let billed = bill(); billed !== undefined; billed = bill()) {
      const held = holdOrder(current, billed, 'billing', shop)
      next = pendingOf(held)
      if (held !== undefined) return held
      current = billed
    }
    return current
  })
  return { pending: next, tries }
}

/** A pending charge with its customer. */
type Pending = PendingCharge & { readonly email: string }

/** A charge that succeeded or was declined. A declined charge has an error. */
interface Settled {
  readonly pending: Pending
  readonly payment?: unknown
  readonly error?: unknown
}

function pendingOf(account: CustomerAccount | undefined): Pending | undefined {
  return account?.pending_charge ? { ...account.pending_charge, email: account.email } : undefined
}

function required(account: CustomerAccount | undefined): CustomerAccount {
  if (account === undefined) throw new StoreError('customer_not_found')
  return account
}

/** Applies the outcome of a charge, unless another process has already applied it. */
function applySettled(account: CustomerAccount, { pending, payment, error }: Settled, shop: Shop): CustomerAccount {
  const held = account.pending_charge
  if (held?.order.id !== pending.order.id) return account
  return error === undefined ? commitCharge(account, held, payment) : declineCharge(account, held, shop.today)
}

/** Returns whether a pending charge belongs to a click that runs or that the customer may repeat. */
function belongsToClick({ operation, order, held_at }: PendingCharge, { now, today }: Shop): boolean {
  if (operation !== 'sendNow') return false
  return now === undefined || held_at === null ? order.placed_on >= today : now < held_at + ownMs
}

const notSaved = 'The pending charge was not saved or loaded, so the order was not charged.'

/**
 * Loads the account again before a charge. Returns `placed` if another process has already saved the order. A store that
 * loses the pending charge would be charged with other keys.
 */
async function findState(transact: Transact, pending: Pending): Promise<'pending' | 'placed'> {
  let state: 'pending' | 'placed' | 'missing' = 'missing'
  await transact((given) => {
    const account = required(given)
    const isPending = account.pending_charge?.order.id === pending.order.id
    state = isPending ? 'pending' : isPlaced(pending, account) ? 'placed' : 'missing'
    return account
  })
  if (state === 'missing') throw new StoreError('store_unavailable', notSaved)
  return state
}

/**
 * Charges an order. Returns the error of a declined charge. Throws all other errors, and the charge remains pending.
 */
async function settle(charge: ChargeOrder, pending: Pending): Promise<Settled> {
  let payment: unknown
  try {
    payment = await charge({ email: pending.email, order: pending.order, idempotencyKey: pending.order.id })
  } catch (error) {
    const isDeclined = isStoreError(error) && error.code === 'payment_failed' && outcomeOf(error) === 'refused'
    if (isDeclined) return { pending, error }
    throw error
  }
  return { pending, payment: readPayment(payment) }
}

/** Returns a payment reference as JSON data. Throws TypeError for another value; the charge then remains pending. */
function readPayment(payment: unknown = null): unknown {
  try {
    const text = JSON.stringify(payment)
    if (new TextEncoder().encode(text).length <= maxPaymentBytes) return JSON.parse(text)
  } catch {
    // Throws the same error for a value that JSON does not have.
  }
  throw new TypeError('charge: must return JSON of at most 4 KiB, such as the id of the payment')
}

/** Returns whether another process has already saved the order of a charge. */
function isPlaced({ order, next }: PendingCharge, { subscriptions, last_sent_on }: CustomerAccount): boolean {
  const subscription = subscriptions.find(({ id }) => id === order.subscription_id)
  return last_sent_on === order.placed_on && subscription?.next_billing_date === next.next_billing_date
}
