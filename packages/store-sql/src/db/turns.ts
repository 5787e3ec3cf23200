import { StoreError } from '@storeport/core'
import type { Waiting } from './connections.ts'

/** A turn in a queue. */
interface Turn {
  /** Whether `enter` had to wait for the turn. */
  readonly waited: boolean
  /** Ends the turn and starts the next turn in the queue. */
  leave(): void
}

type Queue = ReturnType<typeof createQueue>

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
    new Promise<void>((resolve, reject) => {
      const end = () => {
        queued.delete(take)
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      }
      const take = () => {
        end()
        resolve()
      }
      const abort = () => {
        end()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        end()
        reject(new StoreError('store_unavailable'))
      }, timeoutMs)
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
      if (free === 0) return waitForTurn(waiting, timeoutMs).then(() => ({ waited: true, leave }))
      free -= 1
      return { waited: false, leave }
    },
  }
}

/**
 * The turn of one change. The turn starts before the change acquires a connection, and ends after the connection is
 * released.
 */
export interface LockTurn {
  /** Call this method when the customer is locked. Another change may then wait for a lock. */
  locked(): void
  /** Ends the turn. */
  leave(): void
}

/** The waiting and running changes to one customer in this process. */
interface Changes {
  readonly queue: Queue
  count: number
}

/**
 * Prevents waiting changes from occupying all connections. Each customer has at most one change with a connection, and
 * at most `maxWaiters` connections wait for customer locks.
 */
export function createLockTurns(maxWaiters: number, timeoutMs: number) {
  const waiters = createQueue(maxWaiters)
  const customers = new Map<string, Changes>()

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
        const { leave: releaseWait } = await waiters.enter(waiting, leftMs())
        releases.push(releaseWait)
        const locked = () => {
          const index = releases.indexOf(releaseWait)
          if (index >= 0) releases.splice(index, 1).forEach((release) => release())
        }
        return { locked, leave }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
