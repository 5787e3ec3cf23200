import type { Waiting } from '../connections.ts'
import { createQueue, type Queue } from './create-queue.ts'

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
