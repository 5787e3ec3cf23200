import { vi } from 'vitest'

/** Default `timeoutMs` of a client, in milliseconds. */
const timeoutMs = 10_000

/**
 * Fakes the clock and calls `onWait` with the milliseconds of each wait between attempts. Returns a function that
 * restores the clock. Fakes only the timers of `send.ts`, because earlier test files may have timers in this process.
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
