import { vi } from 'vitest'

/** The time limit of an attempt by default, in milliseconds. */
const timeoutMs = 10_000

/** Fakes the clock, and calls `onWait` with the milliseconds of each wait between two attempts once it has begun; returns how to undo it. */
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
