import type { Call } from '../pipeline/call.ts'
import type { Click, PendingClick } from './click.ts'
import { lateMs } from './click-of.ts'

/** How much time a commit gets before the answer is due, in milliseconds; half of the time for a call that has less. */
const commitMs = 2000

/** Returns a click that a method of the store is now given to keep itself. */
export function pendingClick(click: Click, call: Call, timeoutMs: number): PendingClick {
  const startedAt = performance.now()
  return {
    ...click,
    commitBy: startedAt + timeoutMs - Math.min(commitMs, timeoutMs / 2),
    remembersMs: () => rememberedMs(click, performance.now() >= startedAt + timeoutMs || hasLeft(call)),
  }
}

/** For how long a success is remembered, in milliseconds: longer when its caller got no answer. */
export function rememberedMs({ doneMs }: Click, isLate: boolean): number {
  return isLate ? Math.max(doneMs, lateMs) : doneMs
}

/** Whether the caller has left; an adapter that cannot say so calls its listener at once then. */
export function hasLeft(call: Call): boolean {
  if (call.hasLeft !== undefined) return call.hasLeft()
  let left = false
  const stopListening = call.onAbort?.(() => {
    left = true
  })
  stopListening?.()
  return left
}
