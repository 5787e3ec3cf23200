import { StoreError } from '../errors.ts'
import type { Click } from './click.ts'

/** What is kept of a click; times are in milliseconds, on any one clock. */
export interface KeptClick {
  /** Digest of endpoint and input. */
  readonly fingerprint: string
  /** What is known: a try runs, it succeeded, or nobody knows how it ended. */
  readonly state: 'running' | 'done' | 'unknown'
  /** Since when. */
  readonly since: number
  /** Until when: a try that runs longer is lost, a success or an unknown outcome is forgotten. */
  readonly until: number
  /** When the first try began. */
  readonly firstTryAt: number
  /** Whether another mutation of the customer has succeeded since; only asked of a success without a name. */
  readonly hasLaterSuccess: boolean
  /** Whether another mutation of the customer began since and has not ended; only asked of a success without a name. */
  readonly hasLaterTry: boolean
}

/** What a click may do. */
export type Judgement =
  /** Nothing is known of it, or not any more: it runs. */
  | { readonly state: 'free' }
  /** It succeeded and, unless it is named, no other mutation of the customer has succeeded since: it is replayed. */
  | { readonly state: 'done' }
  /** Somebody runs it. */
  | { readonly state: 'running' }
  /** It ran, and nobody knows how it ended. */
  | { readonly state: 'unknown'; readonly firstTryMsAgo: number; readonly forgottenInMs: number }
  /** It succeeded, and nobody knows whether another mutation of the customer has succeeded since. */
  | { readonly state: 'undecided' }
  /** Its `Idempotency-Key` came with another body. */
  | { readonly state: 'reused' }

/**
 * Judges a click that arrived at a moment by what is kept of it: the one meaning of "the same click" for every ledger and
 * every store that keeps its clicks (RETRY-1 to RETRY-10).
 *
 * A success from a future farther away than a call can take was kept before the clock was set back: it does not count.
 */
export function judgeClick(kept: KeptClick | undefined, click: Click, arrivedAt: number): Judgement {
  if (kept === undefined) return { state: 'free' }
  const isLost = kept.state === 'running' && arrivedAt >= kept.until
  const state = isLost ? 'unknown' : kept.state
  const until = isLost ? kept.firstTryAt + click.unknownMs : kept.until
  if (arrivedAt >= until) return { state: 'free' }
  if (state === 'done') {
    if (arrivedAt <= kept.since - Math.max(click.doneMs, click.leaseMs)) return { state: 'free' }
    if (!click.named && kept.hasLaterSuccess) return { state: 'free' }
  }
  if (kept.fingerprint !== click.fingerprint) return { state: 'reused' }
  if (state === 'unknown')
    return { state, firstTryMsAgo: arrivedAt - kept.firstTryAt, forgottenInMs: until - arrivedAt }
  return { state: state === 'done' && !click.named && kept.hasLaterTry ? 'undecided' : state }
}

/**
 * Returns `replayed` for a click that is; throws StoreError `idempotency_key_reused`, `request_in_progress` or
 * `store_unavailable` for one that may neither be replayed nor run now.
 */
export function requireReplay(judgement: Exclude<Judgement, { readonly state: 'free' }>): 'replayed' {
  switch (judgement.state) {
    case 'done':
      return 'replayed'
    case 'running':
      throw new StoreError('request_in_progress')
    case 'reused':
      throw new StoreError('idempotency_key_reused')
    case 'undecided':
      throw new StoreError('store_unavailable', 'Another call of this customer has not ended: repeat it later.', {
        retryAfter: 1,
      })
    case 'unknown': {
      const message = 'How the last try of this call ended is not known: repeat it later.'
      throw new StoreError('store_unavailable', message, { retryAfter: judgement.forgottenInMs / 1000 })
    }
  }
}
