import { type Context, type ReconcileContext, type Reconciled, StoreError } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Stripe } from 'stripe'
import { findCustomer, loadCustomer, type LoadedCustomer } from '../account/load-customer.ts'
import type { Settings } from '../stripe/settings.ts'
import { type Asking, askStripe } from '../stripe/ask-stripe.ts'
import { readFailure, toStoreError } from '../stripe/to-store-error.ts'
import { fingerprintOf, type FoundMark, type Mark, markKey, withoutOldest, writeMark } from '../account/mark.ts'

/** Runs tasks of one key one after the other, in the order in which they came; those of different keys run beside each other. */
export function takeTurns(): <Result>(key: string, task: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve()
    const own = before.then(task, task)
    last.set(key, own)
    try {
      return await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}

/** Maximum clicks that failed whose time is remembered. */
const mostFailed = 1000

/** What a click changes: one request, which carries the mark. */
export interface Change {
  /** What gets the mark; a thing that the request makes has no id yet. */
  readonly holder: { readonly id: string; readonly metadata: Stripe.Metadata | null }
  /** What the mark says besides that the click was made; with `deletes` an invoice item is deleted after it. */
  readonly mark?: Pick<Mark, 'product' | 'quantity' | 'promotion' | 'due' | 'deletes'> | undefined
  /** The adds that can no longer be taken back. */
  readonly closes?: readonly FoundMark[] | undefined
  /** Makes the request, with metadata that hold the mark. `at` is the time in seconds since 1970: the same if it is made again. */
  send(metadata: Stripe.MetadataParam, options: Stripe.RequestOptions, at: number): Promise<unknown>
  /** The idempotency key at Stripe, where not the click but what it does may happen only once. */
  readonly key?: string | undefined
  /** Makes room for another try after a payment that was declined, which Stripe remembers under the key. */
  declined?(options: Stripe.RequestOptions): Promise<unknown>
}

/** Works out what a click changes: nothing, or one thing; throws StoreError to refuse. */
export type Plan = (loaded: LoadedCustomer, asking: Asking) => Promise<Change | undefined>

/** Makes clicks and finds those that were made. */
interface Clicks {
  /** Makes a click unless it was made before; throws StoreError. Two clicks of a customer never overlap in this process. */
  changeOnce(email: string, context: Context, plan: Plan): Promise<void>
  /** Finds out whether a click was made, and completes it. */
  reconcile(email: string, context: ReconcileContext): Promise<Reconciled>
}

/** Makes clicks count once: by their marks first, then by the idempotency key at Stripe. */
export function createClicks(settings: Settings): Clicks {
  const { stripe } = settings
  const inTurn = takeTurns()
  const startedAt = secondsOf(settings)
  /** When the request of a click that failed was first made. Stripe returns the stored failure only to a request with equal parameters. */
  const failedAt = new Map<string, number>()

  async function changeNow(email: string, context: Context, plan: Plan): Promise<void> {
    const asking = askStripe(settings, context)
    const loaded = await loadCustomer(settings, asking, email, { settled: true })
    const repeated = findRepeated(loaded.marks, context, secondsOf(settings))
    // A ledger in memory has lost what was made before this process.
    const made = findOwn(loaded.marks, context) ?? (repeated && repeated.at < startedAt ? repeated : undefined)
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
    const at = failedAt.get(context.idempotencyKey) ?? secondsOf(settings)
    const own = { turn, at, fingerprint: fingerprintOf(context), ...mark }
    const metadata = {
      ...Object.fromEntries(closes.map((add) => [add.key, writeMark({ ...add, closed: true })])),
      ...withoutOldest(holder),
      [markKey(context.idempotencyKey)]: writeMark(own),
    }
    const key = change.key ?? `storeport-${context.idempotencyKey}`
    try {
      await asking.change(key, (options) => change.send(metadata, options, at))
      failedAt.delete(context.idempotencyKey)
    } catch (error) {
      failedAt.set(context.idempotencyKey, at)
      for (const oldest of failedAt.keys()) if (failedAt.size > mostFailed) failedAt.delete(oldest)
      const isDeclined = error instanceof Error && readFailure(error).type === 'StripeCardError'
      if (isDeclined) await change.declined?.({ timeout: settings.timeoutMs }).catch(() => {})
      throw error
    }
  }

  /** Ends a click whose key Stripe has received with other parameters: from another attempt, or from another click that does the same. */
  async function follow(email: string, context: Context, plan: Plan, asking: Asking): Promise<void> {
    const loaded = await loadCustomer(settings, asking, email, { settled: true })
    if (findOwn(loaded.marks, context) !== undefined) return
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
        const { marks = [] } = (await findCustomer(settings, asking, email, { settled: true })) ?? {}
        const repeated = context.ledgerIsYoung ? findRepeated(marks, context, secondsOf(settings)) : undefined
        const made = findOwn(marks, context) ?? repeated
        if (made !== undefined) await finish(made.deletes, asking)
        // A request that is still under way at Stripe has the idempotency key under which the retry runs: only one of the two counts.
        return made === undefined ? 'not_applied' : 'applied'
      }),
  }
}

/** The mark that an attempt of the click has left. The key of a named click never changes, so its mark is found at any time. */
function findOwn(marks: readonly FoundMark[], { idempotencyKey }: Context): FoundMark | undefined {
  const ownKey = markKey(idempotencyKey)
  return marks.find(({ key }) => key === ownKey)
}

/** The mark that an unnamed click repeats, where a ledger has lost it: the latest, of the same fingerprint and within the window. */
function findRepeated(marks: readonly FoundMark[], context: Context, now: number): FoundMark | undefined {
  const fingerprint = fingerprintOf(context)
  const last = marks.toSorted((one, other) => one.turn - other.turn).at(-1)
  if (fingerprint === undefined || last?.fingerprint !== fingerprint) return undefined
  return now - last.at < (context.clickIdentity?.windowMs ?? 0) / 1000 ? last : undefined
}

/** Whether Stripe has received an idempotency key before, with other parameters. */
function isKnownKey(error: unknown): boolean {
  return error instanceof Error && readFailure(error).type === 'StripeIdempotencyError'
}

function secondsOf({ now }: Settings): number {
  return Math.floor(now() / 1000)
}
