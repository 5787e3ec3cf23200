import { StoreError } from '@storeport/core'
import type { Waiting } from '../connections.ts'

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
