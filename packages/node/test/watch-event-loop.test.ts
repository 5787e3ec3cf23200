import { expect, it, onTestFinished, vi } from 'vitest'
import { watchEventLoop } from '../src/operate/watch-event-loop.ts'

it('reports a delayed event loop, logs the delay once, and recovers when the delays end', () => {
  vi.useFakeTimers()
  const warn = vi.fn()
  let time = 0
  /** Advances the clock to the next timer, and then by a delay. */
  const tick = (lateMs: number) => {
    time += 100 + lateMs
    vi.advanceTimersByTime(100)
  }
  const watch = watchEventLoop({ warn }, { mostMs: 300, rememberedMs: 500, now: () => time })
  onTestFinished(() => {
    watch.stop()
    vi.useRealTimers()
  })
  tick(300)
  expect(watch.isLate()).toBe(false)
  tick(301)
  expect(watch.isLate()).toBe(true)
  tick(301)
  expect(warn.mock.calls).toEqual([[{ eventLoopDelayMs: 301 }, expect.stringContaining('delayed')]])
  for (let steps = 0; steps < 4; steps += 1) tick(0)
  expect(watch.isLate()).toBe(true)
  tick(0)
  expect(watch.isLate()).toBe(false)
  tick(1000)
  expect(warn).toHaveBeenCalledTimes(2)
})

it('detects a blocked event loop', async () => {
  const watch = watchEventLoop({ warn: () => {} }, { mostMs: 200, rememberedMs: 60_000 })
  onTestFinished(() => watch.stop())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  await vi.waitUntil(() => watch.isLate(), { interval: 1, timeout: 30_000 })
})
