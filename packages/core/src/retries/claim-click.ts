import { isStoreError, StoreError } from '../errors.ts'
import { requireReplay } from './judge-click.ts'
import type { Click } from './click.ts'
import type { Claim, Claimed, Ledger, Running } from './ledger.ts'
import { within, withinLedgerTime } from './within.ts'

/** A click that was claimed. */
export interface Held {
  readonly claimed: Claimed
  /** When that was asked for, in milliseconds on the clock of `performance.now()`; `undefined` when it took no time. */
  readonly askedAt: number | undefined
}

/**
 * Claims a click, or returns `undefined` when it is replayed; a promise only where the ledger takes its time or another
 * process runs the click, which is waited for until `timeoutMs` after its arrival. Throws StoreError when it may not run
 * now, and `store_unavailable` for a ledger that cannot be asked.
 */
export function claimClick(
  ledger: Ledger,
  click: Click,
  retryUnknown: boolean,
  timeoutMs: number,
): Held | undefined | Promise<Held | undefined> {
  const claim = askLedger(ledger, click, retryUnknown, timeoutMs)
  if (!(claim instanceof Promise) && claim.state !== 'running') return holdOrReplay(claim, undefined)
  return waitForClaim(claim)

  async function waitForClaim(first: Claim | Promise<Claim>): Promise<Held | undefined> {
    let at = performance.now()
    let answer = await first
    // A repeat waits for the outcome of the first; the caller of a named one knows what to do.
    for (let asked = 0; answer.state === 'running' && !click.named; asked++) {
      const leftMs = click.arrivedAt + timeoutMs - performance.now()
      if (!(await waitForEnd(answer, asked, leftMs))) break
      at = performance.now()
      answer = await askLedger(ledger, click, retryUnknown, timeoutMs)
    }
    return holdOrReplay(answer, at)
  }
}

/** How long is waited at most before a ledger is asked again, in milliseconds. */
const longestPauseMs = 500

/** Waits until the ledger is to be asked again: when it says that the try has ended, else longer each time; `false` when `leftMs` are over first. */
async function waitForEnd({ ended }: Running, asked: number, leftMs: number): Promise<boolean> {
  if (leftMs <= 0) return false
  if (ended !== undefined) {
    // A try that is lost never ends, and counts as running for a while only.
    await within(ended, Math.min(longestPauseMs, leftMs)).catch(() => {})
    return true
  }
  const pauseMs = Math.min(10 * 2 ** asked, longestPauseMs)
  if (pauseMs > leftMs) return false
  await new Promise((resume) => setTimeout(resume, pauseMs))
  return true
}

function holdOrReplay(claim: Claim, askedAt: number | undefined): Held | undefined {
  if (claim.state === 'claimed') return { claimed: claim, askedAt }
  requireReplay(claim)
  return undefined
}

function askLedger(ledger: Ledger, click: Click, retryUnknown: boolean, timeoutMs: number): Claim | Promise<Claim> {
  try {
    const claim = ledger.claim(click, retryUnknown)
    if (!('then' in claim)) return claim
    return withinLedgerTime(ledger, claim, timeoutMs).catch((error: unknown) => {
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
