import { StoreError } from '@storeport/core'
import type { Waiting } from './connections.ts'

/** A turn in a queue. */
interface Turn {
  /** Whether `enter` had to wait for the turn. */
  readonly waited: boolean
  /** Ends the turn and starts the next turn in the queue. */
  leave(): void
}

/** Creates a first-in, first-out queue with a limited number of concurrent turns. */
export function createQueue(places = 1) {
  const queued = new Set<() => void>()
  let free = places

  const leave = () => {
    const [next] = queued
    if (next === undefined) free += 1
    else next()
  }

  /** Waits until another turn ends. */
  const waitForTurn = ({ signal }: Waiting, timeoutMs: number) =>
    new Promise<Turn>((resolve, reject) => {
      const endWith = (settle: () => void) => () => {
        queued.delete(take)
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        settle()
      }
      const take = endWith(() => resolve({ waited: true, leave }))
      const abort = endWith(() => reject(signal.reason))
      const timer = setTimeout(
        endWith(() => reject(new StoreError('store_unavailable'))),
        timeoutMs,
      )
      signal.addEventListener('abort', abort)
      queued.add(take)
      if (signal.aborted) abort()
    })

  return {
    /**
     * Returns a turn, after a wait if none is free. Rejects after an abort, or with StoreError `store_unavailable` after
     * `timeoutMs`.
     */
    enter: (waiting: Waiting, timeoutMs: number): Turn | Promise<Turn> => {
      if (free === 0) return waitForTurn(waiting, timeoutMs)
      free -= 1
      return { waited: false, leave }
    },
  }
}

/**
 * The turn of one change. The turn starts before the change acquires a connection, and ends after the connection is
 * released.
 */
export interface LockTurn extends Pick<Turn, 'leave'> {
  /** Call this method when the customer is locked. Another change may then wait for a lock. */
  locked(): void
}

/**
 * Prevents waiting changes from occupying all connections. Each customer has at most one change with a connection, and
 * at most `maxWaiters` connections wait for customer locks.
 */
export function createLockTurns(maxWaiters: number, timeoutMs: number) {
  const waiters = createQueue(maxWaiters)
  /** The waiting and running changes in this process, by customer. */
  const customers = new Map<string, { readonly queue: ReturnType<typeof createQueue>; count: number }>()

  return {
    /** Waits for a turn; rejects for the same reasons as `enter` of a queue. */
    enter: async (customer: string, waiting: Waiting): Promise<LockTurn> => {
      const changes = customers.get(customer) ?? { queue: createQueue(), count: 0 }
      changes.count += 1
      customers.set(customer, changes)
      const giveUpAt = performance.now() + timeoutMs
      const leftMs = () => Math.max(0, giveUpAt - performance.now())
      const releases: (() => void)[] = []
      const leave = () => {
        for (const release of releases.splice(0)) release()
        changes.count -= 1
        if (changes.count === 0) customers.delete(customer)
      }
      try {
        releases.push((await changes.queue.enter(waiting, leftMs())).leave)
        releases.push((await waiters.enter(waiting, leftMs())).leave)
        return { locked: () => releases.splice(1).forEach((release) => release()), leave }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
