import { afterEach, vi } from 'vitest'

// Restores globals after each test, because the test files of a worker share globals in the `quick` project.
// Removes stubs first, because a stub can replace a fake timer.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
