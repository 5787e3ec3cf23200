import { type Context, type Reconciled, StoreError } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { type LoadedCustomer, loadCustomer } from '../account/load-customer.ts'
import type { Settings } from '../read-options.ts'
import { type Asking, askStripe } from '../stripe/ask-stripe.ts'
import { readFailure, toStoreError } from '../stripe/to-store-error.ts'
import { type FoundMark, type Mark, markKey, nameOf, withoutOldest, writeMark } from './mark.ts'
import { takeTurns } from './take-turns.ts'

/** What a click changes: one request, which carries the mark. */
export interface Change {
  /** What gets the mark; a thing that the request makes has no id yet. */
  readonly holder: { readonly id: string; readonly metadata: Stripe.Metadata | null }
  /** What the mark says besides that the click was made; with `deletes` an invoice item is deleted after it. */
  readonly mark?: Pick<Mark, 'product' | 'quantity' | 'promotion' | 'due' | 'deletes'> | undefined
  /** The adds that can no longer be taken back. */
  readonly closes?: readonly FoundMark[] | undefined
  /** Makes the request, with metadata that hold the mark. */
  send(metadata: Stripe.MetadataParam, options: Stripe.RequestOptions): Promise<unknown>
  /** The idempotency key at Stripe, where not the click but what it does may happen only once. */
  readonly key?: string | undefined
  /** Makes room for another try after a payment that was declined, which Stripe remembers under the key. */
  declined?(options: Stripe.RequestOptions): Promise<unknown>
}

/** Works out what a click changes: nothing, or one thing; throws StoreError to refuse. */
export type Plan = (loaded: LoadedCustomer, asking: Asking) => Promise<Change | undefined>

/** The two ways in which clicks and their repeats meet. */
export interface Clicks {
  /** Makes a click unless it was made before; throws StoreError. Two clicks of a customer never overlap in this process. */
  changeOnce(email: string, context: Context, plan: Plan): Promise<void>
  /** Finds out whether a click was made, and ends what it may have left to do. */
  reconcile(email: string, context: Context): Promise<Reconciled>
}

/** Makes clicks count once: by their marks first, then by the idempotency key of Stripe. */
export function createClicks(settings: Settings): Clicks {
  const { stripe } = settings
  const inTurn = takeTurns()
  const startedAt = secondsOf(settings)

  async function changeNow(email: string, context: Context, plan: Plan): Promise<void> {
    const asking = askStripe(settings, context)
    const loaded = await loadCustomer(settings, asking, email, { settled: true })
    const made = findRepeated(loaded.marks, context, startedAt, secondsOf(settings))
    if (made !== undefined) return finish(made.deletes, asking)
    const change = await plan(loaded, asking)
    if (change === undefined) return
    try {
      await send(change, loaded, context, asking)
    } catch (error) {
      if (!isKnownKey(error)) throw toStoreError(error, 'unknown')
      await follow(email, context, plan, asking)
    }
    await finish(change.mark?.deletes, asking)
  }

  async function send(change: Change, { marks }: LoadedCustomer, context: Context, asking: Asking): Promise<void> {
    const { holder, mark, closes = [] } = change
    const turn = 1 + Math.max(0, ...marks.map((other) => other.turn))
    const own = { turn, at: secondsOf(settings), name: nameOf(context), ...mark }
    const metadata = {
      ...Object.fromEntries(closes.map((add) => [add.key, writeMark({ ...add, closed: true })])),
      ...withoutOldest(holder),
      [markKey(context.idempotencyKey)]: writeMark(own),
    }
    const key = change.key ?? keyOf(context)
    try {
      await asking.change(key, (options) => change.send(metadata, options))
    } catch (error) {
      const isDeclined = error instanceof Error && readFailure(error).type === 'StripeCardError'
      if (isDeclined) await change.declined?.({ timeout: settings.timeoutMs }).catch(() => {})
      throw error
    }
  }

  /** Stripe has met the key with other parameters: another try of the click has arrived, or another click that does the same. */
  async function follow(email: string, context: Context, plan: Plan, asking: Asking): Promise<void> {
    const loaded = await loadCustomer(settings, asking, email, { settled: true })
    const made = findRepeated(loaded.marks, context, startedAt, secondsOf(settings))
    if (made !== undefined) return
    await plan(loaded, asking)
    throw new StoreError('store_unavailable', undefined, { outcome: 'unknown' })
  }

  /** Does what comes after the mark; it can be done again, since it names one thing that is to be gone. */
  async function finish(deletes: string | undefined, asking: Asking): Promise<void> {
    if (deletes === undefined) return
    try {
      await asking.remove((options) => stripe.invoiceItems.del(deletes, {}, options))
    } catch (error) {
      if (error instanceof Error && readFailure(error).code === 'resource_missing') return
      // The mark is there: whatever Stripe says of this request, the click was made in part.
      const { code, message, retryAfter, cause } = toStoreError(error, 'unknown')
      throw new StoreError(code, message, { outcome: 'unknown', retryAfter, cause })
    }
  }

  return {
    changeOnce: (email, context, plan) => inTurn(emailKey(email), () => changeNow(email, context, plan)),
    reconcile: (email, context) =>
      inTurn(emailKey(email), async () => {
        const asking = askStripe(settings, context)
        const { marks } = await loadCustomer(settings, asking, email, { settled: true })
        const made = marks.find(({ key }) => key === markKey(context.idempotencyKey))
        if (made !== undefined) await finish(made.deletes, asking)
        // What may still be under way at Stripe has the idempotency key under which the retry runs: one of the two counts.
        return made === undefined ? 'not_applied' : 'applied'
      }),
  }
}

/**
 * The mark of the same click: of the same try; of one that the caller gave the same key, however long ago; or of an unnamed one
 * within its window, where the process that knew of it is gone and nothing else has changed since.
 */
function findRepeated(
  marks: readonly FoundMark[],
  context: Context,
  startedAt: number,
  now: number,
): FoundMark | undefined {
  const ownKey = markKey(context.idempotencyKey)
  const own = marks.find(({ key }) => key === ownKey)
  const { clickIdentity } = context
  if (own !== undefined || clickIdentity === undefined) return own
  const name = nameOf(context)
  if (clickIdentity.named) return marks.find((mark) => mark.name === name)
  const last = marks.toSorted((one, other) => one.turn - other.turn).at(-1)
  if (last === undefined || last.name !== name) return undefined
  const isInWindow = now - last.at < clickIdentity.doneMs / 1000
  return isInWindow && last.at < startedAt ? last : undefined
}

/** The idempotency key at Stripe: of a click that the caller named the same in every process, whatever each remembers. */
function keyOf({ clickIdentity, idempotencyKey }: Context): string {
  if (clickIdentity?.named !== true) return `storeport-${idempotencyKey}`
  return `storeport-${clickIdentity.id}-${clickIdentity.fingerprint}`
}

/** Whether Stripe has met an idempotency key before, with other parameters. */
function isKnownKey(error: unknown): boolean {
  return error instanceof Error && readFailure(error).type === 'StripeIdempotencyError'
}

function secondsOf({ now }: Settings): number {
  return Math.floor(now() / 1000)
}
