import { type Context, isStoreError, type ReconcileContext, type Reconciled, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { findCustomer, loadCustomer, type LoadedCustomer } from '../account/load-customer.ts'
import type { Settings } from '../stripe/settings.ts'
import { type StripeRequests, createStripeRequests } from '../stripe/stripe-requests.ts'
import { readFailure, toStoreError } from '../stripe/to-store-error.ts'
import {
  fingerprintOf,
  type FoundMark,
  type Mark,
  type MarkHolder,
  markKey,
  withoutOldest,
  writeMark,
} from '../account/mark.ts'

/** Maximum number of entries in `failedAt`. */
const maxClicks = 1000

/** The Stripe request of a click. The request makes the change and writes the mark. */
export interface Change {
  /** Object whose metadata stores the mark. */
  readonly holder: MarkHolder
  /** Additional fields of the mark. After the change, `finish` deletes the invoice item `deletes`. */
  readonly mark?: Pick<Mark, 'product' | 'quantity' | 'promotion' | 'due' | 'deletes'> | undefined
  /** Marks of earlier adds that can no longer be undone after the change. */
  readonly closes?: readonly FoundMark[] | undefined
  /** Sends the request with the mark in `metadata`. `at` is the time of the first attempt, in seconds since 1970. */
  send(metadata: Stripe.MetadataParam, options: Stripe.RequestOptions, at: number): Promise<unknown>
  /**
   * Stripe idempotency key that replaces the click's key. Clicks that share this key take effect only once in total.
   */
  readonly key?: string | undefined
  /** Whether the request charges a card, which takes longer than other requests. */
  readonly charges?: boolean
  /** Changes the subscription after a rejection by Stripe, so that the next attempt has a new idempotency key. */
  declined?(options: Stripe.RequestOptions): Promise<unknown>
}

/** Returns the change for a click, or `undefined` if nothing changes. Throws StoreError to reject the click. */
export type Plan = (loaded: LoadedCustomer, requests: StripeRequests) => Promise<Change | undefined>

/** Applies clicks and finds earlier attempts. */
interface Clicks {
  /** Applies a click unless an earlier attempt applied the click; throws StoreError. */
  changeOnce(email: string, context: Context, plan: Plan): Promise<void>
  /** Returns whether a click was applied. Repeats the click's deletion of an invoice item, which may have failed. */
  reconcile(email: string, context: ReconcileContext): Promise<Reconciled>
}

/** Creates functions that apply each click once. Marks and Stripe idempotency keys identify repeats. */
export function createClicks(settings: Settings): Clicks {
  const { stripe } = settings
  /**
   * Time of the first request, by idempotency key. Retries reuse this time, because Stripe requires equal parameters
   * for a key.
   */
  const failedAt = new Map<string, number>()

  async function changeOnce(email: string, context: Context, plan: Plan): Promise<void> {
    const requests = createStripeRequests(settings, context)
    const loaded = await loadCustomer(settings, requests, email, 'marked')
    const made = findMade(loaded, context)
    if (made !== undefined) return finish(made, requests)
    const change = await plan(loaded, requests)
    if (change === undefined) return
    try {
      await send(change, loaded, context, requests)
    } catch (error) {
      if (!isKeyConflict(error)) throw toStoreError(error, 'unknown')
      await resolveKeyConflict(email, context, plan, requests)
    }
    await finish(change.mark, requests)
  }

  /** Finds the mark of an earlier attempt, also after the ledger lost its data. */
  function findMade({ marks }: LoadedCustomer, context: Context): FoundMark | undefined {
    return findOwnMark(marks, context) ?? findRepeatedMark(marks, context, secondsOf(settings))
  }

  async function send(
    change: Change,
    { marks }: LoadedCustomer,
    context: Context,
    requests: StripeRequests,
  ): Promise<void> {
    const { holder, mark, closes = [] } = change
    const sequence = 1 + Math.max(0, ...marks.map((other) => other.sequence))
    const at = failedAt.get(context.idempotencyKey) ?? secondsOf(settings)
    const own = { sequence, at, fingerprint: fingerprintOf(context), ...mark }
    const metadata = {
      ...Object.fromEntries(closes.map((add) => [add.key, writeMark({ ...add, closed: true })])),
      ...withoutOldest(holder),
      [markKey(context.idempotencyKey)]: writeMark(own),
    }
    const key = change.key ?? `storeport-${context.idempotencyKey}`
    try {
      const limit = change.charges === true && { timeout: settings.chargeTimeoutMs }
      await requests.change(key, (options) => change.send(metadata, { ...options, ...limit }, at))
      failedAt.delete(context.idempotencyKey)
    } catch (error) {
      failedAt.set(context.idempotencyKey, at)
      for (const oldest of failedAt.keys()) if (failedAt.size > maxClicks) failedAt.delete(oldest)
      const isDeclined =
        error instanceof Error &&
        ['StripeCardError', 'StripeInvalidRequestError'].includes(readFailure(error).type ?? '')
      if (isDeclined) await change.declined?.({ timeout: settings.timeoutMs }).catch(() => {})
      throw error
    }
  }

  /** Handles an idempotency key that an earlier attempt or another click used with different parameters. */
  async function resolveKeyConflict(
    email: string,
    context: Context,
    plan: Plan,
    requests: StripeRequests,
  ): Promise<void> {
    const loaded = await loadCustomer(settings, requests, email, 'marked')
    if (findMade(loaded, context) !== undefined) return
    await plan(loaded, requests)
    throw new StoreError('store_unavailable', undefined, { outcome: 'unknown' })
  }

  /** Sends the second request of a click, if any. Repeated calls have no further effect. */
  async function finish({ deletes }: Change['mark'] & {} = {}, requests: StripeRequests): Promise<void> {
    try {
      if (deletes !== undefined) await requests.remove((options) => stripe.invoiceItems.del(deletes, {}, options))
    } catch (error) {
      const code = error instanceof Error ? readFailure(error).code : undefined
      if (code === 'invoice_not_editable') throw new StoreError('product_not_in_order')
      if (code === 'resource_missing') return
      // The mark is already written, so an error leaves the click partly applied, with an unknown outcome.
      const { code: failure, message, retryAfter, cause } = toStoreError(error, 'unknown')
      throw new StoreError(failure, message, { outcome: 'unknown', retryAfter, cause })
    }
  }

  async function reconcile(email: string, context: ReconcileContext): Promise<Reconciled> {
    const requests = createStripeRequests(settings, context)
    const loaded = await findCustomer(settings, requests, email, 'marked')
    const made = findOwnMark(loaded?.marks ?? [], context)
    try {
      if (made !== undefined) await finish(made, requests)
    } catch (error) {
      // Stripe has billed the invoice item, so the next attempt rejects the click.
      if (isStoreError(error) && error.code === 'product_not_in_order') return 'not_applied'
      throw error
    }
    // An earlier request may be in flight. It and the retry have the same key, so only one of them takes effect.
    return made === undefined ? 'not_applied' : 'applied'
  }

  return { changeOnce, reconcile }
}

/** Finds the mark of an earlier attempt with the same idempotency key. The mark of a named click does not expire. */
function findOwnMark(marks: readonly FoundMark[], { idempotencyKey }: Context): FoundMark | undefined {
  const ownKey = markKey(idempotencyKey)
  return marks.find(({ key }) => key === ownKey)
}

/** Returns the customer's latest mark if an unnamed click has the same fingerprint and arrives within the window. */
function findRepeatedMark(marks: readonly FoundMark[], context: Context, now: number): FoundMark | undefined {
  const fingerprint = fingerprintOf(context)
  const last = marks.toSorted((one, other) => one.sequence - other.sequence).at(-1)
  if (fingerprint === undefined || last?.fingerprint !== fingerprint) return undefined
  return now - last.at < (context.clickIdentity?.windowMs ?? 0) / 1000 ? last : undefined
}

/** Whether Stripe already received the idempotency key with different parameters. */
function isKeyConflict(error: unknown): boolean {
  return error instanceof Error && readFailure(error).type === 'StripeIdempotencyError'
}

function secondsOf({ now }: Settings): number {
  return Math.floor(now() / 1000)
}
