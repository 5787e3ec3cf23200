import type { Waiting } from '../connections.ts'

/** A queue that one caller at a time leaves, in the order of arrival. */
export interface WriteQueue {
  /** Waits for the turn; rejects with the signal's reason when nobody waits for it any longer. */
  enter(waiting: Waiting): Promise<Turn>
}

/** A turn, until `leave` is called. */
export interface Turn {
  /** Whether somebody else was before. */
  readonly waited: boolean
  /** Lets the next one in. */
  leave(): void
}

/** Makes the queue of those who write through the one connection of a process. */
export function createWriteQueue(): WriteQueue {
  const others: (() => void)[] = []
  let taken = false

  const leave = () => {
    const next = others.shift()
    if (next === undefined) taken = false
    else next()
  }

  return {
    enter: async (waiting) => {
      const waited = taken
      if (waited) await new Promise<void>((enter) => others.push(enter))
      taken = true
      if (waited && waiting.signal.aborted) {
        leave()
        throw waiting.signal.reason
      }
      return { waited, leave }
    },
  }
}
