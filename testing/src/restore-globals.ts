import { afterEach, vi } from 'vitest'

// Quick tests share modules and globals with the other files of their worker. Stubs are restored first, because a stub can
// have replaced a fake timer.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
