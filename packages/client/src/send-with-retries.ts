import { NetworkFailure } from './network-failure.ts'
import type { RawAnswer } from './send.ts'
import type { Limits } from './within-time.ts'

const retriedStatuses: readonly number[] = [429, 502, 503, 504]
const firstBackOffMs = 100
const longestBackOffMs = 2000

/** How often a request may be sent again. */
export interface RetryLimits extends Limits {
  readonly retries: number
}

/**
 * Sends a request until its answer is worth having, waiting longer each time, with full jitter.
 *
 * A wait that would end later than `timeoutMs` after the start is not begun, so a call takes 2 × `timeoutMs` at most and
 * neither `Retry-After` nor a slow server can stretch it.
 */
export async function sendWithRetries(send: () => Promise<RawAnswer>, limits: RetryLimits): Promise<RawAnswer> {
  const { retries, timeoutMs, signal, timing } = limits
  const latest = timing.now() + timeoutMs
  for (let retry = 0; ; retry += 1) {
    const outcome = await send().catch(networkFailure)
    const backOff = timing.random() * Math.min(longestBackOffMs, firstBackOffMs * 2 ** retry)
    const wait = 1000 * (outcome.retryAfter ?? 0) + backOff
    if (retry < retries && isWorthRetrying(outcome) && timing.now() + wait < latest) {
      await timing.sleep(wait, signal)
      continue
    }
    if (outcome instanceof NetworkFailure) throw outcome
    return outcome
  }
}

function isWorthRetrying(outcome: RawAnswer | NetworkFailure): boolean {
  return outcome instanceof NetworkFailure || retriedStatuses.includes(outcome.status)
}

function networkFailure(error: unknown): NetworkFailure {
  if (error instanceof NetworkFailure) return error
  throw error
}
