import { type KeptAnswer, type MemoryLedger, type PendingClick, requireReplay } from '@storeport/core'

/**
 * Makes a change and keeps its click with it, unless the click is a replay; throws what the change throws, and StoreError
 * for a click that may not run. Nothing else of the process runs in between, so both are kept or neither is.
 */
export function changeOnce(clicks: MemoryLedger, click: PendingClick | undefined, change: () => void): KeptAnswer {
  if (click === undefined) {
    change()
    return 'ran'
  }
  const claim = clicks.claim(click, false)
  if (claim.state !== 'claimed') return requireReplay(claim)
  try {
    change()
  } catch (error) {
    clicks.settle(click, 'refused')
    throw error
  }
  clicks.settle({ ...click, doneMs: click.remembersMs() }, 'done')
  return 'ran'
}
