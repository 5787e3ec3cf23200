import { StoreError } from '@storeport/core'
import type { Timing } from './timing.ts'

/** How long something may take, and who may call it off. */
export interface Limits {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly timing: Timing
}

/** Runs something that can be aborted; throws StoreError `store_timeout` when the time is up and the reason of the signal when it fires. */
export async function withinTime<Value>(
  run: (signal: AbortSignal) => Promise<Value>,
  { timeoutMs, signal, timing }: Limits,
): Promise<Value> {
  signal?.throwIfAborted()
  const attempt = new AbortController()
  const leave = () => attempt.abort(signal?.reason)
  const stopTimer = timing.startTimer(timeoutMs, () => {
    attempt.abort(new StoreError('store_timeout', `The shop did not answer within ${timeoutMs} ms.`))
  })
  signal?.addEventListener('abort', leave, { once: true })
  try {
    // The signal's own rejection comes first: what fetch makes of an abort, or whether it looks at the signal, does not matter.
    return await Promise.race([run(attempt.signal), rejectionBy(attempt.signal)])
  } finally {
    stopTimer()
    signal?.removeEventListener('abort', leave)
  }
}

function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
