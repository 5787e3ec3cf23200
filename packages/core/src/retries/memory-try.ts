import type { KeptClick } from './judge-click.ts'
import type { Claim } from './ledger.ts'

/** A click that runs, or of which nobody knows how it ended: most are gone before the garbage collector moves them. */
export interface Try {
  readonly id: string
  /** The customer's row. */
  readonly row: number
  readonly fingerprint: string
  readonly named: boolean
  /** What the first try ran under. */
  readonly idempotencyKey: string
  readonly firstTryAt: number
  /** When nothing of it counts any more. */
  readonly expiresAt: number
  state: 'running' | 'unknown'
  since: number
  until: number
  /** What names the try that runs, or ran last. */
  tryKey: string
  /** For the repeats that wait for it to settle. */
  ending: Ending | undefined
  /** The try of the same customer that was begun before. */
  before: Try | undefined
}

/** Something that will end. */
interface Ending {
  readonly ended: Promise<void>
  end(): void
}

/** Whether a try does not run, or is lost. */
export function hasStopped({ state, until }: Try, time: number): boolean {
  return state !== 'running' || until <= time
}

/** Resolves when a try has settled. */
export function endOf(entry: Try): Promise<void> {
  entry.ending ??= createEnding()
  return entry.ending.ended
}

/** Tells those who wait that a try has settled. */
export function wakeRepeats(entry: Try): void {
  entry.ending?.end()
  entry.ending = undefined
}

function createEnding(): Ending {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { ended, end }
}

/** What the ledger says to whoever runs a try: how long ago the first one began, where that was another. */
export function claimed({ idempotencyKey, tryKey, firstTryAt }: Try, time: number): Claim {
  if (tryKey === idempotencyKey) return { state: 'claimed', idempotencyKey }
  return { state: 'claimed', idempotencyKey, firstTryMsAgo: time - firstTryAt }
}

/** A try, as it is judged. */
export function keptTry({ fingerprint, state, since, until, firstTryAt }: Try): KeptClick {
  return { fingerprint, state, since, until, firstTryAt, hasLaterSuccess: false, hasLaterTry: false }
}
