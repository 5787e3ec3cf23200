/** Whether calls may be made now, and when to ask again if not. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

/** The calls that a platform takes: in this process, or in a server that several ask. */
export interface Bucket {
  /** Calls in a second, of all who share it. */
  readonly perSecond: number
  /** Takes calls out; what is urgent goes before what is not. */
  take(options: { readonly urgent: boolean; readonly calls: number }): Taken | Promise<Taken>
}

/** A bucket of this process alone: a second's calls at once after a pause, then one for each interval. */
export function ownBucket(perSecond: number, now: () => number): Bucket {
  const interval = 1000 / perSecond
  const burst = Math.max(1, Math.floor(perSecond))
  /** When it is full again. */
  let fullAt = 0
  return {
    perSecond,
    take: ({ calls }) => {
      const time = now()
      const from = Math.max(fullAt, time)
      // More calls than it ever holds are given when it is full.
      const waitMs = from + Math.min(calls, burst) * interval - burst * interval - time
      if (waitMs > 0) return { taken: false, retryAfterMs: Math.ceil(waitMs) }
      fullAt = from + calls * interval
      return { taken: true }
    },
  }
}
