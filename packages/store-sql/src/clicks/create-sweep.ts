import type { Database } from '../db/database.ts'
import type { ClickTable } from './click-table.ts'

/** Removes some of what has expired, now and then; returns at once, and never fails. */
export type Sweep = () => void

/** Most rows that are removed in one transaction, and the least time between two, in milliseconds. */
const batch = 500
const everyMs = 10_000
/** For how long an expired click is kept, in milliseconds: a clock that is set ahead and back takes no click with it. */
const slackMs = 60 * 60_000

/**
 * Makes the cleaning of the table of clicks, to be called after every change: a small step every ten seconds, and at once
 * again as long as a step was full, so that it keeps up with whatever comes in.
 */
export function createSweep(database: Database, table: ClickTable): Sweep {
  let nextAt = 0
  let isRunning = false

  const step = async () => {
    const removed = await database.transaction((_, send) => table.sweep(send, slackMs, batch), { durable: false })
    nextAt = removed === batch ? 0 : performance.now() + everyMs
  }

  return () => {
    if (isRunning || performance.now() < nextAt) return
    isRunning = true
    nextAt = performance.now() + everyMs
    step()
      // What is left over is removed by a later step.
      .catch(() => {})
      .finally(() => {
        isRunning = false
      })
  }
}
