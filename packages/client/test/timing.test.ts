import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemTiming } from '../src/timing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a sleep ends when its time is over, and lets go of the signal', async () => {
  const { signal } = new AbortController()
  const sleeping = systemTiming.sleep(1000, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  await sleeping
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an abort ends a sleep and its timer', async () => {
  const leaving = new AbortController()
  const reason = new Error('Gone.')
  const sleeping = systemTiming.sleep(1000, leaving.signal)
  leaving.abort(reason)
  await expect(sleeping).rejects.toBe(reason)
  expect(vi.getTimerCount()).toBe(0)
})

test('after an abort no sleep begins', async () => {
  const reason = new Error('Gone.')
  await expect(systemTiming.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason)
  expect(vi.getTimerCount()).toBe(0)
})

test('a timer that was called off does nothing', () => {
  const run = vi.fn()
  systemTiming.startTimer(1000, run)()
  vi.advanceTimersByTime(2000)
  expect(run).not.toHaveBeenCalled()
})

test('the clock and the dice are the real ones', () => {
  vi.setSystemTime(1234)
  expect(systemTiming.now()).toBe(1234)
  expect(systemTiming.random()).toBeLessThan(1)
})
