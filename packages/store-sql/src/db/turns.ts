import { StoreError } from '@storeport/core'
import type { Waiting } from './connections.ts'

/** A queue that some callers at a time leave, in the order of arrival. */
export interface Queue {
  /**
   * Waits for the turn; rejects with the signal's reason when nobody waits for it any longer, and with StoreError
   * `store_unavailable` after `mostMs`.
   */
  enter(waiting: Waiting, mostMs: number): Promise<Turn>
}

/** A turn, until `leave` is called. */
export interface Turn {
  /** Whether somebody else was before. */
  readonly waited: boolean
  /** Lets the next one in. */
  leave(): void
}

/** Makes a queue for a number of places. */
export function createQueue(places = 1): Queue {
  const others = new Set<() => void>()
  let free = places

  const leave = () => {
    const [next] = others
    if (next === undefined) free += 1
    else next()
  }

  /** The place is that of the one who leaves. */
  const waitForTurn = ({ signal }: Waiting, mostMs: number) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        others.delete(take)
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
      }, mostMs)
      signal.addEventListener('abort', abort)
      others.add(take)
      if (signal.aborted) abort()
    })

  return {
    enter: async (waiting, mostMs) => {
      const waited = free === 0
      if (waited) await waitForTurn(waiting, mostMs)
      else free -= 1
      return { waited, leave }
    },
  }
}

/** The turn of a change, from before it takes a connection until it gives it back. */
export interface LockTurn {
  /** The customer is locked: the next change may wait for a lock. */
  locked(): void
  /** The change has ended. */
  leave(): void
}

/** Who may wait for the lock of a customer. */
export interface LockTurns {
  /** Waits for the turn; rejects as `Queue.enter` does. */
  enter(customer: string, waiting: Waiting): Promise<LockTurn>
}

/** The changes of one customer in this process. */
interface Changes {
  readonly queue: Queue
  count: number
}

/**
 * Keeps changes that wait for locks from taking every connection: of one customer one change at a time has a connection,
 * and at most `most` connections wait for the locks of any customers.
 */
export function createLockTurns(most: number, mostMs: number): LockTurns {
  const waiters = createQueue(most)
  const customers = new Map<string, Changes>()

  return {
    enter: async (customer, waiting) => {
      const changes = customers.get(customer) ?? { queue: createQueue(), count: 0 }
      changes.count += 1
      customers.set(customer, changes)
      const giveUpAt = performance.now() + mostMs
      const leftMs = () => Math.max(0, giveUpAt - performance.now())
      const left: (() => void)[] = []
      const leave = () => {
        for (const give of left.splice(0)) give()
        changes.count -= 1
        if (changes.count === 0) customers.delete(customer)
      }
      try {
        left.push((await changes.queue.enter(waiting, leftMs())).leave)
        const { leave: giveWait } = await waiters.enter(waiting, leftMs())
        left.push(giveWait)
        const locked = () => {
          const place = left.indexOf(giveWait)
          if (place >= 0) left.splice(place, 1).forEach((give) => give())
        }
        return { locked, leave }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
