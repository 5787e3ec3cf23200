import { type Context, isStoreError, type ReconcileContext, type Reconciled, StoreError } from '@storeport/core'
import type { Stripe } from 'stripe'
import { findCustomer, loadCustomer, type LoadedCustomer } from '../account/load-customer.ts'
import {
  fingerprintOf,
  type FoundMark,
  type Mark,
  type MarkHolder,
  markKey,
  withoutOldest,
  writeMark,
} from '../account/mark.ts'
import { openSession, type Session } from '../stripe/session.ts'
import type { Settings } from '../stripe/settings.ts'
import { readFailure, toStoreError } from '../stripe/to-store-error.ts'

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
  /** Stripe idempotency key that replaces the click's key. Clicks that share this key take effect only once in total. */
  readonly key?: string | undefined
  /** Whether the request charges a card, which takes longer than other requests. */
  readonly charges?: boolean
  /** Changes the subscription after a rejection by Stripe, so that the next attempt has a new idempotency key. */
  declined?(options: Stripe.RequestOptions): Promise<unknown>
}

/** Returns the change for a click, or `undefined` if nothing changes. Throws StoreError to reject the click. */
export type Plan = (loaded: LoadedCustomer, session: Session) => Promise<Change | undefined>

/** Maximum number of entries in `failedAt`. */
const maxClicks = 1000

/** Creates functions that apply each click once. Marks and Stripe idempotency keys identify repeats. */
export function createClicks(settings: Settings) {
  const startedAt = settings.now()
  /** Time of the first request, by idempotency key. Retries use it again, because Stripe requires equal parameters for a key. */
  const failedAt = new Map<string, number>()

  /** Applies a click unless an earlier attempt applied the click; throws StoreError. */
  async function changeOnce(email: string, context: Context, plan: Plan): Promise<void> {
    const session = openSession(settings, context)
    const loaded = await loadCustomer(session, email, 'marked')
    const made = findMade(loaded, context)
    if (made !== undefined) return finish(made, session)
    const change = await plan(loaded, session)
    if (change === undefined) return
    try {
      await send(change, loaded, context, session)
    } catch (error) {
      if (typeOf(error) !== 'StripeIdempotencyError') throw toStoreError(error, 'unknown')
      // An earlier attempt or another click used the key with different parameters.
      const changed = await loadCustomer(session, email, 'marked')
      if (findMade(changed, context) === undefined) {
        await plan(changed, session)
        throw new StoreError('store_unavailable', undefined, { outcome: 'unknown' })
      }
    }
    await finish(change.mark, session)
  }

  /**
   * Finds the mark of an earlier attempt. An unnamed click repeats the latest mark within the window if the mark is older than this process,
   * because a restart clears an in-memory ledger. The time of a mark is rounded down.
   */
  function findMade({ marks }: LoadedCustomer, context: Context): FoundMark | undefined {
    const fingerprint = fingerprintOf(context)
    const last = marks.toSorted((one, other) => one.sequence - other.sequence).at(-1)
    const own = findOwnMark(marks, context)
    if (own !== undefined || fingerprint === undefined || last?.fingerprint !== fingerprint) return own
    const isRecent = secondsOf(settings) - last.at < (context.clickIdentity?.windowMs ?? 0) / 1000
    return isRecent && last.at * 1000 < startedAt ? last : undefined
  }

  async function send(change: Change, { marks }: LoadedCustomer, context: Context, session: Session): Promise<void> {
    const { idempotencyKey } = context
    const at = failedAt.get(idempotencyKey) ?? secondsOf(settings)
    const sequence = 1 + Math.max(0, ...marks.map((other) => other.sequence))
    const own = { sequence, at, fingerprint: fingerprintOf(context), ...change.mark }
    const metadata = {
      ...Object.fromEntries((change.closes ?? []).map((add) => [add.key, writeMark({ ...add, closed: true })])),
      ...withoutOldest(change.holder),
      [markKey(idempotencyKey)]: writeMark(own),
    }
    const limit = change.charges === true && { timeout: settings.chargeTimeoutMs }
    try {
      await session.change(change.key ?? `storeport-${idempotencyKey}`, (options) =>
        change.send(metadata, { ...options, ...limit }, at),
      )
      failedAt.delete(idempotencyKey)
    } catch (error) {
      failedAt.set(idempotencyKey, at)
      for (const oldest of failedAt.keys()) if (failedAt.size > maxClicks) failedAt.delete(oldest)
      if (['StripeCardError', 'StripeInvalidRequestError'].includes(typeOf(error) ?? ''))
        await change.declined?.({ timeout: settings.timeoutMs, maxNetworkRetries: 3 }).catch(() => {})
      throw error
    }
  }

  /** Returns whether a click was applied. Repeats the click's deletion of an invoice item, which may have failed. */
  async function reconcile(email: string, context: ReconcileContext): Promise<Reconciled> {
    const session = openSession(settings, context)
    const loaded = await findCustomer(session, email, 'marked')
    const made = findOwnMark(loaded?.marks ?? [], context)
    // An earlier request may be in flight. It and the retry have the same key, so only one of them takes effect.
    if (made === undefined) return 'not_applied'
    try {
      await finish(made, session)
      return 'applied'
    } catch (error) {
      // Stripe has billed the invoice item, so the next attempt rejects the click.
      if (isStoreError(error) && error.code === 'product_not_in_order') return 'not_applied'
      throw error
    }
  }

  return { changeOnce, reconcile }
}

/** Sends the second request of a click, if any. Repeated calls have no further effect. */
async function finish({ deletes }: Partial<Mark> = {}, { stripe, change }: Session): Promise<void> {
  try {
    // Stripe ignores the key of a DELETE.
    if (deletes !== undefined) await change(deletes, (options) => stripe.invoiceItems.del(deletes, {}, options))
  } catch (error) {
    const { code } = readFailure(error)
    if (code === 'invoice_not_editable') throw new StoreError('product_not_in_order')
    if (code === 'resource_missing') return
    // The mark is already written, so an error leaves the click partly applied, with an unknown outcome.
    const { code: failure, message, retryAfter, cause } = toStoreError(error, 'unknown')
    throw new StoreError(failure, message, { outcome: 'unknown', retryAfter, cause })
  }
}

/** Finds the mark of an earlier attempt with the same idempotency key. The mark of a named click does not expire. */
function findOwnMark(marks: readonly FoundMark[], { idempotencyKey }: Context): FoundMark | undefined {
  const ownKey = markKey(idempotencyKey)
  return marks.find(({ key }) => key === ownKey)
}

function typeOf(error: unknown): string | undefined {
  return readFailure(error).type
}

function secondsOf({ now }: Settings): number {
  return Math.floor(now() / 1000)
}
