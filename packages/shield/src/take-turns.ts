import { StoreError } from '@storeport/core'

/** Waits for a promise for at most some milliseconds; rejects with what `late` makes when it takes longer. */
export function inTime<Value>(promise: Promise<Value>, ms: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

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

/** Who wants to call the platform. */
interface Wish {
  /** Whether it goes before those that are not. */
  readonly urgent: boolean
  /** How many calls it makes. */
  readonly calls: number
  /** How long it may wait, in milliseconds. */
  readonly waitMs: number
}

/** Turns to call a platform. */
interface Turns {
  /** Waits for a turn and returns for how long it did, in milliseconds; throws StoreError `store_unavailable`, at once where none can come in time. */
  take(wish: Wish): Promise<number>
  /** Gives no turns for some milliseconds, at most five minutes: the platform wants that. */
  pause(ms: number): void
}

interface Waiting extends Wish {
  readonly since: number
  readonly start: (waitedMs: number) => void
  readonly refuse: (error: StoreError) => void
}

/** How turns are given. */
interface TurnOptions {
  /** Most calls that wait. */
  readonly maxWaiting: number
  /** Time for a bucket in a server to answer, in milliseconds. */
  readonly timeoutMs: number
  /** The time in milliseconds. */
  readonly now: () => number
}

const mostPauseMs = 300_000

/** Gives turns as a bucket has calls, to clicks first; a bounded number waits. */
export function takeTurns(bucket: Bucket, { maxWaiting, timeoutMs, now }: TurnOptions): Turns {
  const queues: Readonly<Record<'urgent' | 'other', Waiting[]>> = { urgent: [], other: [] }
  const intervalMs = 1000 / bucket.perSecond
  let pausedUntil = Number.NEGATIVE_INFINITY
  /** Until when the bucket said that it is empty. */
  let emptyUntil = Number.NEGATIVE_INFINITY
  let isGiving = false

  function queueOf({ urgent }: Wish): Waiting[] {
    return urgent ? queues.urgent : queues.other
  }

  /** The least time until a turn can come, in milliseconds: those who wait before it have theirs first. */
  function leastWait(wish: Wish): number {
    const ahead = wish.urgent ? queues.urgent : [...queues.urgent, ...queues.other]
    const calls = ahead.reduce((sum, each) => sum + each.calls, 0)
    const emptyMs = Math.max(pausedUntil, emptyUntil) - now()
    if (emptyMs > 0) return emptyMs + calls * intervalMs
    // A bucket that was not empty last may hold the calls of a second.
    return Math.max(0, calls - Math.max(1, bucket.perSecond)) * intervalMs
  }

  function take(wish: Wish): Promise<number> {
    const least = leastWait(wish)
    const isFull = queues.urgent.length + queues.other.length >= maxWaiting
    if (least > wish.waitMs || isFull) return Promise.reject(tooLate(Math.max(least, intervalMs)))
    return new Promise((start, refuse) => {
      queueOf(wish).push({ ...wish, since: now(), start, refuse })
      void giveTurns()
    })
  }

  /** Gives turns until nobody waits. */
  async function giveTurns(): Promise<void> {
    if (isGiving) return
    isGiving = true
    try {
      for (let next = first(); next !== undefined; next = first()) {
        const waitMs = pausedUntil > now() ? pausedUntil - now() : await ask(next)
        if (waitMs === 0) continue
        emptyUntil = now() + waitMs
        refuseLate(waitMs)
        await sleepUntilNews(waitMs)
      }
    } finally {
      isGiving = false
    }
  }

  function first(): Waiting | undefined {
    return queues.urgent[0] ?? queues.other[0]
  }

  /** Asks the bucket for one of those who wait; returns how long it has to wait yet, 0 when it does no longer. */
  async function ask(next: Waiting): Promise<number> {
    const answer = bucket.take(next)
    const inItsTime = answer instanceof Promise ? inTime(answer, timeoutMs, noAnswer).catch(() => undefined) : answer
    const taken = await inItsTime
    if (taken?.taken === false) return taken.retryAfterMs
    remove(next)
    if (taken === undefined) next.refuse(tooLate(1000))
    else next.start(now() - next.since)
    return 0
  }

  function remove(waiting: Waiting): void {
    const queue = queueOf(waiting)
    queue.splice(queue.indexOf(waiting), 1)
  }

  /** Refuses those whose turn cannot come in time any more, when the next one comes in some milliseconds. */
  function refuseLate(nextMs: number): void {
    let waitMs = nextMs
    for (const each of [...queues.urgent, ...queues.other]) {
      if (each.since + each.waitMs >= now() + waitMs) {
        waitMs += each.calls * intervalMs
        continue
      }
      remove(each)
      each.refuse(tooLate(waitMs))
    }
  }

  /** Waits, but no longer than until somebody urgent comes. */
  let wake = () => {}
  function sleepUntilNews(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.ceil(ms)))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    take: (wish) => {
      const turn = take(wish)
      if (wish.urgent) wake()
      return turn
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, now() + Math.min(ms, mostPauseMs))
    },
  }
}

function noAnswer(): Error {
  return new Error('the bucket did not answer')
}

function tooLate(waitMs: number): StoreError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return new StoreError('store_unavailable', 'The shop is busy: repeat the call later.', { retryAfter })
}
