import type { Click } from './click.ts'
import type { Ledger, Outcome } from './ledger.ts'
import { withinLedgerTime } from './within.ts'

/** How a try ended. */
export interface Ending {
  readonly click: Click
  readonly outcome: Outcome
  /** How long ago, in milliseconds. */
  readonly msAgo: number
}

/** After how long a ledger that failed is asked again, in milliseconds: less than a minute in all, for which it knows what came later. */
const retryAfterMs = [100, 500, 2000, 5000, 10_000, 20_000]
/** Most outcomes that wait to be kept at a time. */
const maxWaiting = 1000
let waiting = 0

/**
 * Keeps how a try ended; a promise only where the ledger takes its time, which never rejects and waits at most `timeoutMs`.
 *
 * An outcome that could not be kept is tried again in the background; until then, or for good, the click counts as
 * running and then as unknown.
 */
export function settleClick(
  ledger: Ledger,
  ending: Ending,
  timeoutMs: number,
  onLedgerError: (error: unknown) => void,
): void | Promise<void> {
  const { click, outcome, msAgo } = ending
  try {
    const settling = ledger.settle(click, outcome, msAgo)
    if (settling === undefined) return
    const endedAt = performance.now() - msAgo
    return withinLedgerTime(ledger, settling, timeoutMs).catch((error: unknown) => again(error, endedAt))
  } catch (error) {
    again(error, performance.now() - msAgo)
  }

  function again(error: unknown, endedAt: number): void {
    onLedgerError(error)
    settleLater(() => ledger.settle(click, outcome, performance.now() - endedAt))
  }
}

function settleLater(settle: () => void | Promise<void>, tries = 0): void {
  const pauseMs = retryAfterMs[tries]
  if (pauseMs === undefined || waiting >= maxWaiting) return
  waiting += 1
  setTimeout(() => {
    waiting -= 1
    Promise.resolve()
      .then(settle)
      .catch(() => settleLater(settle, tries + 1))
  }, pauseMs)
}
