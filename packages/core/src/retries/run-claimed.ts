import { endpointRow } from '../endpoints/index.ts'
import { outcomeOf, StoreError } from '../errors.ts'
import { StoreTimeout } from '../pipeline/call-store.ts'
import { claimClick } from './claim-click.ts'
import type { Guarded, Mutation } from './guard.ts'
import type { Click } from './click.ts'
import type { Ledger, Outcome } from './ledger.ts'
import { hasLeft, rememberedMs } from './pending-click.ts'
import { settleClick } from './settle-click.ts'

/**
 * Runs a click of a method that keeps none itself: claims it, asks the store about an earlier try that ended unknown,
 * runs it, settles it. Throws what the store throws, or StoreError when it may not run.
 */
export async function runClaimed(
  mutation: Mutation,
  click: Click,
  ledger: Ledger,
  timeoutMs: number,
): Promise<Guarded> {
  const { named } = click
  const settle = (outcome: Outcome, doneMs = click.doneMs, msAgo = 0) => {
    const ending = { click: doneMs === click.doneMs ? click : { ...click, doneMs }, outcome, msAgo }
    return settleClick(ledger, ending, timeoutMs, mutation.onLedgerError)
  }
  const claiming = claimClick(ledger, click, mayRunAgain(mutation), timeoutMs)
  const held = claiming instanceof Promise ? await claiming : claiming
  if (held === undefined) return { replayed: true, named }

  const { idempotencyKey, firstTryMsAgo } = held.claimed
  let mayHaveRun = firstTryMsAgo !== undefined
  if (mayHaveRun && mutation.store.reconcile !== undefined) {
    const found = await mutation
      .reconcile(idempotencyKey, Math.min(timeoutMs, click.leaseMs / 2))
      .catch(() => 'unknown' as const)
    if (found === 'applied') {
      await settle('done', click.doneMs, firstTryMsAgo)
      return { replayed: true, named }
    }
    if (found === 'unknown') {
      await settle('unknown')
      throw new StoreError('store_unavailable', 'How the last try of this call ended is not known: repeat it later.')
    }
    mayHaveRun = false
  }
  const endingOf = (error: unknown) => (mayHaveRun ? 'unknown' : outcomeOf(error))
  // Who runs it next may do so as soon as the lease is over: the store must have ended before. Asking it about an earlier
  // try takes no more than half of the lease.
  if (held.askedAt !== undefined && performance.now() - held.askedAt > click.leaseMs / 2) {
    const late = new StoreError('store_unavailable')
    await settle(endingOf(late))
    throw late
  }

  try {
    await mutation.run(idempotencyKey, mutation.store.marksClicks === true ? { identity: click } : undefined)
  } catch (error) {
    if (error instanceof StoreTimeout) {
      error.end.then(
        () => settle('done', rememberedMs(click, true)),
        (end) => settle(endingOf(end)),
      )
    } else await settle(endingOf(error))
    throw error
  }
  const settled = settle('done', rememberedMs(click, hasLeft(mutation.call)))
  if (settled) await settled
  return { replayed: false, named }
}

/** Whether a click of unknown outcome may be claimed again: when the store can say how it ended, or a second run does no harm. */
function mayRunAgain({ name, store }: Mutation): boolean {
  return store.reconcile !== undefined || store.honoursIdempotencyKey === true || endpointRow(name).onceOnly !== true
}
