import { vi } from 'vitest'

/** Default timeout of an attempt, in milliseconds. */
const timeoutMs = 10_000

/** Fakes the clock and calls `onWait` with the milliseconds of each wait between attempts; returns a function that restores the clock. */
export function fakeWaits(onWait: (ms: number) => void): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const { setTimeout } = globalThis
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    if (ms !== timeoutMs) queueMicrotask(() => onWait(ms))
    return setTimeout(run, ms)
  })
  return () => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
}
