import { afterEach, vi } from 'vitest'

// The test files of a worker share modules and globals in the `quick` project. Stubs are removed before the fake timers, because
// a stub can replace a fake timer.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
