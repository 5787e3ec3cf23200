import { StoreError } from '@storeport/core'

/** Waits at most `ms` milliseconds for a promise. After that time, rejects with the result of `createError`. */
export function withTimeout<Value>(promise: Promise<Value>, ms: number, createError: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether tokens were taken. If not, `retryAfterMs` is the wait before the next attempt, in milliseconds. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }

/** A token bucket that limits the rate of requests to a platform, in this process or on a shared server. */
export interface Bucket {
  /** Maximum requests per second, from all processes that share the bucket. */
  readonly perSecond: number
  /** Takes tokens for `calls` requests. Urgent requests have priority. */
  take(options: { readonly urgent: boolean; readonly calls: number }): Taken | Promise<Taken>
}

/** Creates a bucket for this process. The bucket holds the tokens of one second (at least one) and refills continuously. */
export function createLocalBucket(perSecond: number, now: () => number): Bucket {
  const interval = 1000 / perSecond
  const burst = Math.max(1, Math.floor(perSecond))
  /** Time at which the bucket is full, in milliseconds. */
  let fullAt = 0
  return {
    perSecond,
    take: ({ calls }) => {
      const time = now()
      const from = Math.max(fullAt, time)
      // A request for more than `burst` tokens waits only until the bucket is full.
      const waitMs = from + Math.min(calls, burst) * interval - burst * interval - time
      if (waitMs > 0) return { taken: false, retryAfterMs: Math.ceil(waitMs) }
      fullAt = from + calls * interval
      return { taken: true }
    },
  }
}

interface TurnRequest {
  /** Whether the request has priority. */
  readonly urgent: boolean
  /** Number of platform requests during the turn. */
  readonly calls: number
  /** Maximum wait for the turn, in milliseconds. */
  readonly waitMs: number
}

/** Grants turns. A turn is permission to send requests to the platform. */
interface Turns {
  /**
   * Waits for a turn and returns the wait, in milliseconds. Throws StoreError `store_unavailable` as soon as no turn is
   * possible within `waitMs`.
   */
  take(request: TurnRequest): Promise<number>
  /** Stops granting turns for `ms` milliseconds, at most five minutes. */
  pause(ms: number): void
}

interface Waiting extends TurnRequest {
  readonly since: number
  readonly start: (waitedMs: number) => void
  readonly reject: (error: StoreError) => void
}

interface TurnOptions {
  /** Maximum number of waiting requests. */
  readonly maxWaiting: number
  /** Timeout of a call to a shared bucket, in milliseconds. */
  readonly timeoutMs: number
  /** Returns the time in milliseconds. */
  readonly now: () => number
}

const maxPauseMs = 300_000

/** Grants turns at the rate of a bucket. Urgent requests have priority. At most `maxWaiting` requests wait. */
export function createTurns(bucket: Bucket, { maxWaiting, timeoutMs, now }: TurnOptions): Turns {
  const queues: Readonly<Record<'urgent' | 'other', Waiting[]>> = { urgent: [], other: [] }
  const intervalMs = 1000 / bucket.perSecond
  let pausedUntil = Number.NEGATIVE_INFINITY
  /** Time before which no turn is possible, in milliseconds. */
  let emptyUntil = Number.NEGATIVE_INFINITY
  let isGranting = false

  function queueOf({ urgent }: TurnRequest): Waiting[] {
    return urgent ? queues.urgent : queues.other
  }

  /** Returns the minimum time that a new request waits for a turn, in milliseconds. */
  function minimumWait(request: TurnRequest): number {
    const ahead = request.urgent ? queues.urgent : [...queues.urgent, ...queues.other]
    const calls = ahead.reduce((sum, each) => sum + each.calls, 0)
    const emptyMs = Math.max(pausedUntil, emptyUntil) - now()
    if (emptyMs > 0) return emptyMs + calls * intervalMs
    // Assumes a full bucket, which contains as many tokens as it gets in one second.
    return Math.max(0, calls - Math.max(1, bucket.perSecond)) * intervalMs
  }

  function take(request: TurnRequest): Promise<number> {
    const minimumMs = minimumWait(request)
    const isFull = queues.urgent.length + queues.other.length >= maxWaiting
    if (minimumMs > request.waitMs || isFull) return Promise.reject(busyError(Math.max(minimumMs, intervalMs)))
    return new Promise((start, reject) => {
      queueOf(request).push({ ...request, since: now(), start, reject })
      void grantTurns()
    })
  }

  /** Grants turns until the queues are empty. */
  async function grantTurns(): Promise<void> {
    if (isGranting) return
    isGranting = true
    try {
      for (let next = first(); next !== undefined; next = first()) {
        const waitMs = pausedUntil > now() ? pausedUntil - now() : await requestTurn(next)
        if (waitMs === 0) continue
        emptyUntil = now() + waitMs
        rejectLate(waitMs)
        await sleep(waitMs)
      }
    } finally {
      isGranting = false
    }
  }

  function first(): Waiting | undefined {
    return queues.urgent[0] ?? queues.other[0]
  }

  /** Takes tokens for a waiting request. Returns the remaining wait in ms; 0 if the request was granted or rejected. */
  async function requestTurn(next: Waiting): Promise<number> {
    const result = bucket.take(next)
    const taken = await (result instanceof Promise
      ? withTimeout(result, timeoutMs, bucketTimeout).catch(() => undefined)
      : result)
    if (taken?.taken === false) return taken.retryAfterMs
    remove(next)
    if (taken === undefined) next.reject(busyError(1000))
    else next.start(now() - next.since)
    return 0
  }

  function remove(waiting: Waiting): void {
    const queue = queueOf(waiting)
    queue.splice(queue.indexOf(waiting), 1)
  }

  /** Rejects waiting requests that cannot get a turn in time if the next turn is in `nextMs` milliseconds. */
  function rejectLate(nextMs: number): void {
    let waitMs = nextMs
    for (const each of [...queues.urgent, ...queues.other]) {
      if (each.since + each.waitMs >= now() + waitMs) {
        waitMs += each.calls * intervalMs
        continue
      }
      remove(each)
      each.reject(busyError(waitMs))
    }
  }

  /** Ends the current sleep, so that an urgent request is tried immediately. */
  let wake = () => {}
  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.ceil(ms)))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    take: (request) => {
      const turn = take(request)
      if (request.urgent) wake()
      return turn
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, now() + Math.min(ms, maxPauseMs))
    },
  }
}

function bucketTimeout(): Error {
  return new Error('The rate limit bucket did not respond in time.')
}

function busyError(waitMs: number): StoreError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return new StoreError('store_unavailable', 'The shop is busy. Retry after the time in Retry-After.', { retryAfter })
}
