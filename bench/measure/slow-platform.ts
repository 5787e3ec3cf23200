import { type CurrentSubscription, StoreError, type StorePort } from '@storeport/core'

/** A platform that takes few calls and its time for each, as a merchant's does. */
export interface SlowPlatform {
  /** The store over it. */
  readonly store: StorePort
  /** How many calls reached it. */
  calls(): number
  /** How many calls it refused, since they were more than it takes. */
  refused(): number
}

const first = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000

/** How often the subscription of an answer was delayed. */
export function delaysOf({ next_billing_date }: CurrentSubscription): number {
  return Math.round((Date.parse(next_billing_date) - first) / dayMs)
}

/** Starts a platform that takes so many calls a second, a second's at once after a pause, and refuses what comes beyond with 429. */
export function startSlowPlatform(perSecond: number, tookMs: number): SlowPlatform {
  const delays = new Map<string, number>()
  let left = perSecond
  let filledAt = performance.now()
  let calls = 0
  let refused = 0

  async function answer<Result>(result: () => Result): Promise<Result> {
    const now = performance.now()
    left = Math.min(perSecond, left + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
    calls += 1
    // Clocks of two machines differ by a little.
    if (left < 0.5) {
      refused += 1
      throw new StoreError('rate_limited', undefined, { retryAfter: 1 })
    }
    left -= 1
    const answered = result()
    await new Promise((resume) => setTimeout(resume, tookMs))
    return answered
  }

  return {
    store: {
      getSubscription: ({ email }) =>
        answer(() => ({
          next_billing_date: new Date(first + (delays.get(email) ?? 0) * dayMs).toISOString().slice(0, 10),
          items: [],
        })),
      listProducts: () => answer(() => ({ products: [] })),
      delaySubscription: ({ email }) => answer(() => void delays.set(email, (delays.get(email) ?? 0) + 1)),
    },
    calls: () => calls,
    refused: () => refused,
  }
}
