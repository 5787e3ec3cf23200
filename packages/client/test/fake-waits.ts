import { vi } from 'vitest'

/** Default timeout of an attempt, in milliseconds. */
const timeoutMs = 10_000

/**
 * Fakes the clock and calls `onWait` with the milliseconds of each wait between attempts; returns a function that restores the clock.
 *
 * Fakes only the timers of the client: earlier test files of the same process may still have timers that run.
 */
export function fakeWaits(onWait: (ms: number) => void): () => void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const fake = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
  const faked = new Set<unknown>()
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    if (!new Error('Only its stack is used.').stack?.includes('client/src/send')) return real.setTimeout(run, ms)
    if (ms !== timeoutMs) queueMicrotask(() => onWait(ms))
    const timer = fake.setTimeout(run, ms)
    faked.add(timer)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => (faked.has(timer) ? fake : real).clearTimeout(timer))
  return () => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
}
