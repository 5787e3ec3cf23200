import { isStoreError, StoreError } from '../errors.ts'
import { requireReplay } from './judge-click.ts'
import type { Claim, Claimed, Click, Ledger } from './ledger.ts'
import { within } from './within.ts'

/** A click that was claimed, and when that was asked for, in milliseconds on the clock of `performance.now()`. */
export interface Held extends Claimed {
  readonly askedAt: number
}

/**
 * Claims a click, or returns `undefined` when it is replayed; waits at most `timeoutMs` from its arrival while another
 * process runs it. Throws StoreError when it may not run now, and `store_unavailable` for a ledger that cannot be asked.
 */
export async function claimClick(
  ledger: Ledger,
  click: Click,
  retryUnknown: boolean,
  timeoutMs: number,
): Promise<Held | undefined> {
  const giveUpAt = click.arrivedAt + timeoutMs
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const askedAt = performance.now()
    const answer = askLedger(ledger, click, retryUnknown, timeoutMs)
    const claim = answer instanceof Promise ? await answer : answer
    if (claim.state === 'claimed') return { ...claim, askedAt }
    // A repeat waits for the outcome of the first, as it would in one process; the caller of a named one knows what to do.
    const waits = claim.state === 'running' && !click.named && performance.now() + pauseMs < giveUpAt
    if (!waits) {
      requireReplay(claim)
      return undefined
    }
    await new Promise((resume) => setTimeout(resume, pauseMs))
  }
}

function askLedger(ledger: Ledger, click: Click, retryUnknown: boolean, timeoutMs: number): Claim | Promise<Claim> {
  try {
    const claim = ledger.claim(click, retryUnknown)
    if (!('then' in claim)) return claim
    return within(claim, timeoutMs).catch((error: unknown) => {
      claim.then((late) => letGo(ledger, click, late)).catch(() => {})
      throw unavailable(error)
    })
  } catch (error) {
    throw unavailable(error)
  }
}

/** Nothing has run under a claim that came too late. */
function letGo(ledger: Ledger, click: Click, late: Claim): void | Promise<void> {
  if (late.state !== 'claimed') return
  return ledger.settle(click, late.firstTryMsAgo === undefined ? 'refused' : 'unknown')
}

function unavailable(cause: unknown): unknown {
  return isStoreError(cause) ? cause : new StoreError('store_unavailable', undefined, { cause })
}
