import { vi } from 'vitest'

/** The time limit of an attempt by default, in milliseconds. */
const timeoutMs = 10_000

/** Fakes the clock: each wait between two attempts is noted in milliseconds and over at once, and no time limit is reached. */
export function skipWaits(): { readonly waits: readonly number[]; restore(): void } {
  const waits: number[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const { setTimeout } = globalThis
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) => {
    const timer = setTimeout(run, ms)
    if (ms !== timeoutMs) {
      waits.push(ms)
      queueMicrotask(() => vi.advanceTimersByTime(ms))
    }
    return timer
  })
  const restore = () => {
    spy.mockRestore()
    vi.useRealTimers()
  }
  return { waits, restore }
}
